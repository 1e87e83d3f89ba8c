package dumps_test

import (
	"context"
	"fmt"
	"log"
	"regexp"

	"quire/internal/archivefs"
	"quire/source/internal/dumps"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("database/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	set, err := dumps.Find(t, nil, regexp.MustCompile(`(?i)\btarget_instance\b`))
	if err != nil {
		log.Fatal(err)
	}
	loaded, err := set.Load(ctx, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range loaded {
		row := d.One("target_instance", "ti_oid", "622593")
		fmt.Println(row.Get("ti_reference"), row.Place(d.Name))
	}
}
