package pages

// All counts are kept in tests, so that each test of access also tests the kept ones.
func init() { keptFrom = 0 }
