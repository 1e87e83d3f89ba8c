package wabac

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
)

// Release is a version of wabac.js that was tested with Quire; no other version is accepted. Its
// digests are the digests of the npm package.
type Release struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Licence string `json:"licence"`
	// address of its source code: distributors must provide it (AGPL, section 6)
	Source  string `json:"source"`
	URL     string `json:"url"`     // of the package
	Package string `json:"package"` // SHA-512 in npm's form: "sha512-" and Base64

	files map[string]string // installed files of the package: SHA-512 of each, in hex
}

// Pinned is the release that Install accepts.
var Pinned = Release{
	Name: "@webrecorder/wabac", Version: "2.27.3", Licence: "AGPL-3.0-or-later",
	Source:  "https://github.com/webrecorder/wabac.js/tree/v2.27.3",
	URL:     "https://registry.npmjs.org/@webrecorder/wabac/-/wabac-2.27.3.tgz",
	Package: "sha512-i00+HSdwOdHRPeJU8g3LMOAHT4J+yX+dJdTEboTiI9YjWY5jYxUGqOgDuZ3xmPBzGAfYjfwoFTIaCB9lUBuNhA==",
	files: map[string]string{
		"package/dist/sw.js": "06a1f01b03068fcc02cc88972e0da32d922041cb3607e51322ee7d25f5b0fb4884f068fc559e2b6" +
			"c732dda38961c67cb960286476aca3a5e3b7eac12a761d137",
		"package/LICENSE.md": "9334ad843fb3c94b36023377598d870df9d5028bab72dabaed78fe9275d109ab03ee0541c9d4ca1" +
			"ef3526be30107c0a3a9d7742c1f21cad1f90acc1692dac1fc",
	},
}

// digestOf returns the digest of a package in npm's form.
func digestOf(content []byte) string {
	sum := sha512.Sum512(content)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

func hexOf(content []byte) string {
	sum := sha512.Sum512(content)
	return hex.EncodeToString(sum[:])
}
