// Package screenshot makes thumbnails of pages with a browser (package chromium).
//
// The browser gets its content from the replay of the public: closed content is not there for it. The captures that
// it got are kept beside the picture, and package thumbnail judges all of them again before it shows the picture to a
// reader (docs/explanation/decisions/0044-pages-shown-by-a-browser.md).
package screenshot
