// Package wacz checks the WACZ that quire export makes. py-wacz validates it, cdxj-indexer indexes
// its containers (the lines must equal ours), and warcio checks them. interop/browser tests whether
// ReplayWeb.page shows them.
//
//	bash interop/run wacz
package wacz
