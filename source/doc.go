// Package source is what all readers of crawlers' leavings have in common. Each reader knows one system, finds its harvests in
// a Tree, and tells of each in the words of the model:
//
//	s, err := detect.Open(ctx, "job-42") // every reader looks; a folder may hold several harvests
//	for h, err := range s.Harvests(ctx) {
//		about := h.About()               // model.Harvest, with evidence for each fact
//		for fetch, err := range h.Fetches(ctx) { ... } // what became of each URL, as the log tells
//	}
//
// Nothing here writes, and nothing is concluded that the files do not say.
package source
