// Package tour shows what Quire does, from a crawl to a stored and checked package, as commands that
// a user would type. It knows nothing of what the commands do: the caller has a function for that.
package tour
