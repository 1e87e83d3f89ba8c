// Package wacz lets py-wacz validate the WACZ that quire export makes, cdxj-indexer index its
// containers (the lines must be ours), and warcio check them. Whether ReplayWeb.page shows them is
// tried in interop/browser.
//
//	bash interop/run wacz
package wacz
