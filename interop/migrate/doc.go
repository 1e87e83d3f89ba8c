// Package migrate has what quire migrate makes looked at by tools that we did not write: warcio,
// jwarc and JWAT read the conversion records; Pillow, which also made the images, compares each GIF
// and X bitmap with its PNG, frame by frame, pixel by pixel; Python, which also wrote the pages,
// compares the text of each before and after. ImageMagick converts one image by the rule that calls
// it.
//
//	bash interop/run migrate
package migrate
