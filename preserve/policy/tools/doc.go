// Package tools runs the tools of a policy on bytestreams, during the pass that reads a container.
//
// The format of a bytestream is known long after its bytes. So a [Runner] keeps each bytestream in
// a [Store] until its record is complete, and then runs the tools that apply to it. Bytes that were
// examined before are not examined again. The output of a tool is parsed into a [Value] of bounded
// size. A tool that did not run, or failed, is reported as such: its result is never guessed.
package tools
