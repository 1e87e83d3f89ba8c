// Package webhook says to other programs which jobs ended. Each message is signed as Standard Webhooks 1.0
// (standardwebhooks.com) wants, so that libraries of many languages check it.
//
// [Follower] makes a job of the queue for each message, and a worker sends it with [Hook.Send]: a receiver that is
// away gets it later, and the list of jobs shows which messages did not arrive.
package webhook
