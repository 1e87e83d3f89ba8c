// Package source is what all readers of crawlers' leavings have in common. Each reader knows one
// system, finds its harvests in a Tree, and tells of each in the words of the model.
//
// Nothing here writes, and nothing is concluded that the files do not say.
package source
