// Package source has the common parts of all readers of crawler output. Each reader handles one
// system, finds its harvests in a Tree, and describes each with the types of the model.
//
// The package never writes, and concludes nothing beyond the facts in the files.
package source
