// Package solr asks and fills collections of a Solr server: by its JSON interface, with limits of time and
// size, and patience with a server that is away.
package solr
