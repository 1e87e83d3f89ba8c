package ocfl

import (
	"strings"
	"testing/fstest"
)

// rename renames a version, in the inventories and on disk.
func rename(old, name string) func(*sample) {
	return func(s *sample) {
		for _, pair := range [][2]string{{`"` + old + `"`, `"` + name + `"`}, {`"` + old + "/", `"` + name + "/"}} {
			replace(pair[0], pair[1])(s)
		}
		files := map[string]string{}
		for file, text := range s.files {
			if rest, ok := strings.CutPrefix(file, old+"/"); ok {
				file = name + "/" + rest
			}
			files[file] = text
		}
		s.files = files
		s.folder(old, name)
	}
}

// replaceState changes the state of v1, in both inventories; it is their last part.
func replaceState(old, with string) func(*sample) {
	return func(s *sample) {
		for _, inv := range []*string{&s.v1, &s.v2} {
			head, tail, _ := strings.Cut(*inv, `"versions"`)
			*inv = head + `"versions"` + strings.Replace(tail, old, with, 1)
		}
	}
}

// replaceFixity replaces the md5 of the style sheet by another algorithm and digest.
func replaceFixity(algorithm, digest string) func(*sample) {
	return func(s *sample) {
		replace(`"md5"`, `"`+algorithm+`"`)(s)
		replace(sum("md5", style), digest)(s)
	}
}

func replaceFixityPath(path string) func(*sample) {
	return func(s *sample) {
		for _, inv := range []*string{&s.v1, &s.v2} {
			head, tail, _ := strings.Cut(*inv, `"md5"`)
			*inv = head + `"md5"` + strings.Replace(tail, "v1/content/css/site.css", path, 1)
		}
	}
}

// replaceBlock replaces the object of a key by a value.
func replaceBlock(key, value string) func(*sample) {
	return func(s *sample) {
		s.v1, s.v2 = withBlock(s.v1, key, value), withBlock(s.v2, key, value)
	}
}

func withBlock(inv, key, value string) string {
	head, tail, _ := strings.Cut(inv, `"`+key+`": {`)
	depth := 1
	for i, c := range tail {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return head + `"` + key + `": ` + value + tail[i+1:]
		}
	}
	return inv
}

func cutVersions(inv string) string { return withBlock(inv, "versions", "{}") }

// twice repeats the first entry of a block.
func twice(key string) func(*sample) { return repeat(key, func(s string) string { return s }) }

func twiceInOtherCase(key string) func(*sample) { return repeat(key, strings.ToUpper) }

func repeat(key string, change func(string) string) func(*sample) {
	return func(s *sample) {
		for _, inv := range []*string{&s.v1, &s.v2} {
			head, tail, _ := strings.Cut(*inv, `"`+key+`": {`)
			entry := tail[:strings.Index(tail, "]")+1]
			digest, rest, _ := strings.Cut(entry, ":")
			*inv = head + `"` + key + `": {` + change(digest) + ":" + rest + "," + tail
		}
	}
}

// movePage makes a v2 that adds no files and only renames the first page.
func movePage(s *sample) {
	second := sum(SHA512, pageTwo)
	s.v2 = strings.Replace(s.v2, `"v2/content/index.html"`, "", 1)
	s.v2 = strings.Replace(s.v2, `    "`+second+"\": [\n      \n    ],\n", "", 1)
	s.v2 = strings.Replace(s.v2, `    "`+second+"\": [\n      \n    ]\n", "", 1)
	head, tail, _ := strings.Cut(s.v2, `"v2": {`)
	tail = strings.Replace(strings.Replace(tail, second, sum(SHA512, pageOne), 1), "index.html", "start.html", 1)
	s.v2 = tidy(head) + `"v2": {` + tail
	delete(s.files, "v2/content/index.html")
}

// tidy removes a trailing comma before a closing brace.
func tidy(inv string) string {
	before, after, ok := strings.Cut(inv, "],\n  }")
	if !ok {
		return inv
	}
	return before + "]\n  }" + after
}

// priorBySHA256 makes v1 use SHA-256 for its content addresses.
func priorBySHA256(s *sample) {
	s.suffix["v1"] = SHA256
	replacePrior(`"digestAlgorithm": "sha512"`, `"digestAlgorithm": "sha256"`)(s)
	for _, text := range []string{pageOne, style} {
		replacePrior(sum(SHA512, text), sum(SHA256, text))(s)
	}
}

// previousInventory puts the inventory of v1 back into the object's folder: the state between the
// two last steps of an update.
func previousInventory(m fstest.MapFS) {
	for _, name := range []string{"inventory.json", "inventory.json.sha512"} {
		put(m, name, string(m[sampleDir+"/v1/"+name].Data))
	}
}

// otherContentDirInHead makes the inventory in v2 use another content directory than the object's
// inventory.
func otherContentDirInHead(s *sample) {
	s.head = strings.Replace(s.v2, `"manifest"`, `"contentDirectory": "stuff", "manifest"`, 1)
}
