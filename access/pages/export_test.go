package pages

import "time"

// All counts are kept in tests, so that each test of access also tests the kept ones.
// The parts of a page have more time than on a server, because the machine of the tests may be busy.
func init() { keptFrom, partsTime, partsWait = 0, time.Minute, time.Minute }

// SetPartsTimes changes the time for the parts of a page and the wait for a turn, until the returned
// function is called.
func SetPartsTimes(parts, wait time.Duration) func() {
	before, waited := partsTime, partsWait
	partsTime, partsWait = parts, wait
	return func() { partsTime, partsWait = before, waited }
}

// TakePartsTurns takes all turns for parts of pages, until the returned function is called.
func TakePartsTurns() func() {
	for range cap(mixing) {
		mixing <- struct{}{}
	}
	return func() {
		for range cap(mixing) {
			<-mixing
		}
	}
}
