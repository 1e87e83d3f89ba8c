package main

import "testing"

func TestParseBenchmark(t *testing.T) {
	got,
		err := parseBenchmark("goos: linux\nBenchmarkMillion/ListRecords-2 \t 1\t1234 ns/op\t 94.5 first-µs/page\t 5 " +
		"allocs/op\nBenchmarkPage//first-2  200  4200 ns/op\nPASS\n")
	if err != nil {
		t.Fatal(err)
	}
	if m := got["BenchmarkMillion/ListRecords"]; m["first-µs/page"] != 94.5 || m["ns/op"] != 1234 {
		t.Errorf("ListRecords: %v", m)
	}
	if m := got["BenchmarkPage//first"]; m["ns/op"] != 4200 {
		t.Errorf("first: %v in %v", m, got)
	}
	if _, err := parseBenchmark("BenchmarkX-2 1 many ns/op\n"); err == nil {
		t.Error("a text that is not a number was accepted")
	}
}
