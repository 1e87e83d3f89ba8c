package resource_test

import (
	"context"
	"io"
	"net/http"

	"quire/oai/resource"
)

// show copies the bytes of a resource from any collection.
func show(ctx context.Context, collection resource.Collection, w io.Writer) error {
	r, err := collection.Resource(ctx, "https://a.example/logo.png")
	if err != nil {
		return err
	}
	body, err := r.Open(ctx)
	if err != nil {
		return err
	}
	defer body.Close()
	_, err = io.Copy(w, body)
	return err
}

func Example() {
	var site resource.Collection // for example a site.Site
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if err := show(r.Context(), site, w); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
		}
	})
}
