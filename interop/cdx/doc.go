// Package cdx lets pywb read our index of captures: its keys are compared with ours, for URLs and
// for requests that sent something; of a thousand URLs and dates it must find the same capture
// closest; and, told where our copies lie (quire index export), it must replay from them every
// capture that there is, byte for byte.
//
//	bash interop/run cdx
package cdx
