// github.com/slyrz/warc, to be measured against format/warc. The Go module proxy does not serve it, and it has no go.mod: put
// its source (commit a50edd1 of 2015) and a go.mod into build/bench/slyrz. A module of its own: nothing here is linked into Quire.
module quire/bench/peers/slyrz

go 1.26.2

require github.com/slyrz/warc v0.0.0

replace github.com/slyrz/warc => ../../../build/bench/slyrz
