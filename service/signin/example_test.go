package signin_test

import (
	"context"
	"net/http"

	"quire/service/role"
	"quire/service/signin"
	"quire/service/token"
)

func Example() {
	all, tokens := &signin.Sessions{Secure: true}, token.In("archive/service")
	http.HandleFunc("POST /sign-in", func(w http.ResponseWriter, r *http.Request) {
		text := r.PostFormValue("token")
		check := func(ctx context.Context) (*role.Person, error) { return tokens.Person(ctx, text) }
		if who, err := check(r.Context()); err == nil {
			all.Begin(w, who.Name, check)
		}
	})
}
