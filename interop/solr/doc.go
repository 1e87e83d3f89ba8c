// Package solr runs the tests of the search on Solr, alone and in two shards, and checks what SolrWayback
// would find there.
package solr
