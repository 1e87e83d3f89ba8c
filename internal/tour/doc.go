// Package tour demonstrates Quire with the commands that a user would type, from a crawl to a
// stored and checked package. The package does not contain the commands: the caller passes a
// function that runs them.
package tour
