// Package migrate checks the results of quire migrate with independent tools. warcio, jwarc and
// JWAT read the conversion records. Pillow, which also made the images, compares each GIF and X
// bitmap with its PNG, frame by frame, pixel by pixel. Python, which also wrote the pages, compares
// the text of each page before and after. ImageMagick converts one image by the rule that calls it.
//
//	bash interop/run migrate
package migrate
