package figures_test

import (
	"fmt"

	"quire/access/figures"
)

func ExampleRead() {
	page := `<meta property="og:image" content="/tug.jpg"><figure><img src=quay.png alt="The quay" width=400>
		<figcaption>The harbour in 1999</figcaption></figure>`
	p := figures.Read([]byte(page), "text/html", "http://a.example/ships/")
	fmt.Println(p.Declared[0])
	fmt.Println(p.Images[0].URL, p.Images[0].Width, p.Images[0].Alt+":", p.Images[0].Words)
	// Output:
	// http://a.example/tug.jpg
	// http://a.example/ships/quay.png 400 The quay: The harbour in 1999
}
