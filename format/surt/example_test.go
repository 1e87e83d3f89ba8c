package surt_test

import (
	"fmt"

	"quire/format/surt"
)

func ExampleKey() {
	fmt.Println(surt.Key("http://www.Example.org:80/a/?b=2&a=1#there"))
	// Output: org,example)/a?a=1&b=2
}

func ExampleWithRequest() {
	url := surt.WithRequest("http://a.example/x", "POST", "application/json", []byte(`{"q": [1, null]}`))
	fmt.Println(surt.Key(url))
	// Output: example,a)/x?__wb_method=post&q=1&q.2_=none
}
