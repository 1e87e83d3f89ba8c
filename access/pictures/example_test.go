package pictures_test

import (
	"context"
	"fmt"

	"quire/access/pictures"
	"quire/holdings"
)

func ExamplePictures_Query() {
	search := func(ctx context.Context, index *pictures.Pictures, who holdings.Reader) error {
		found, err := index.Query(ctx, who, pictures.Query{Text: "steam tug", Size: pictures.Large, Colour: "blue"})
		if err != nil {
			return err
		}
		for _, p := range found.Pictures {
			fmt.Println(p.Capture.URL, p.Width, p.Height, p.Alt)
		}
		return nil
	}
	_ = search
}
