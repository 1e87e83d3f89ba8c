package thumbnail_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"quire/access/thumbnail"
)

func ExampleShrink() {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1200, 300))); err != nil {
		panic(err)
	}
	small, err := thumbnail.Shrink(picture.Bytes(), thumbnail.Picture)
	if err != nil {
		panic(err)
	}
	fmt.Println(thumbnail.Size(small))
	// Output: jpeg 240 60 <nil>
}
