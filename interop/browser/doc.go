// Package browser reads the pages of quire serve with Chromium. The pages are a difficult website
// of our own that Chromium itself crawled, pages that attack their readers, and the crawls of the
// samples. A listener replaces the live web; a connection to it is a failure. Firefox tests whether
// one archived site can read another site's stored data.
//
// It is a separate module, so that the browser's driver (chromedp, MIT) is not part of the product.
// `interop/run browser` runs it. QUIRE_BINARY is the quire under test; CHROMIUM names the browser
// if its command differs.
package browser
