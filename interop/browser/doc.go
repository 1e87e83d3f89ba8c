// Package browser lets Chromium read what quire serve hands out: a website of our own, made to be
// hard, that Chromium itself crawled; pages that attack whoever shows them; and the crawls of the
// samples. A listener stands for the live web: a connection to it is a failure. Firefox is asked
// whether one archived site reads what another keeps.
//
// It is a module of its own, so that nothing of what drives the browser (chromedp, MIT) is in the
// product. `interop/run browser` runs it; QUIRE_BINARY is the quire that is tried, CHROMIUM the
// browser where it is called otherwise.
package browser
