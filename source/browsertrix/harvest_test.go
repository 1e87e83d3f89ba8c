package browsertrix

import (
	"archive/zip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"quire/format/wacz"
	"quire/model"
	"quire/source"
)

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// wantOutcomes returns every requested URL once, every page, and every error, with the reason for
// missing content.
func wantOutcomes() []string {
	return []string{
		// pageinfo
		"200 https://a.test/ ", "404 https://a.test/x.js server", "0 https://ads.test/ scope",
		"0 https://gone.test/ network",
		"0 https://a.test/slow network", "403 https://a.test/denied server", // pages
		"0 https://a.test/timeout network", "0 mailto:x@a.test scope", "0 https://a.test/late ", // logs
		// skipped
		"0 https://b.test/ scope", "0 https://a.test/r robots", "0 https://a.test/l quota",
		"0 https://a.test/d unwritten", "0 https://a.test/n untried",
		"0 https://a.test/queued untried", "0 https://a.test/failed network", // state
	}
}

// TestCrawl reads the folder of a crawl with all output of Browsertrix, and a foreign file beside
// it.
func TestCrawl(t *testing.T) {
	files := below("crawls/collections/coll", crawl())
	files["crawls/collections/coll/coll.wacz"] = "PK"
	files["crawls/readme.txt"] = "x"
	h := only(t, folder(t, files), Reader{})
	a := h.About()
	if a.System != model.Browsertrix || a.ID != "c1" || a.Collection != "coll" || a.Title != "Title" ||
		a.Note != "long text" || a.Software != crawlerName || a.Operator != "Ann" && a.Operator != "Bob" ||
		a.UserAgent != "Mozilla/5.0 Chrome" || a.Robots != "true" || a.EndReason != "interrupted" ||
		a.Documentation != model.Documented {
		t.Errorf("%+v", a)
	}
	if got := fmt.Sprint(a.Seeds); got != "[https://a.test/ https://anna:…@b.test/ https://c.test/]" {
		t.Error(got)
	}
	if got := fmt.Sprint(a.Limits,
		a.Counted); got != "[{limit 3} {limit 3} {timeLimit 60}] [{pages crawled 3} {pages found 5} {pages "+
		"under way 1} {pages failed 1} {pages 3} {pages that failed 2}]" {
		t.Error(got)
	}
	if got := strings.Join(a.Scope,
		"; "); got != `https://a.test/: scopeType: prefix; https://a.test/: include: /^https?:\/\/a\.test\//; `+
		`https://a.test/: exclude: x; https://a.test/: scopeType: prefix; exclude: /ads/` {
		t.Error(got)
	}
	restricted := map[string]bool{}
	roles := map[model.Role]int{}
	for _, f := range a.Files {
		roles[f.Role]++
		if f.Restricted != "" {
			restricted[within(h.root, f.Path)] = true
		}
	}
	if got := slices.Sorted(maps.Keys(restricted)); !slices.Equal(got,
		[]string{"crawls/crawl-1.yaml", "logs/crawl-1.log", "profile/Default/Cookies"}) {
		t.Errorf("restricted: %q", got)
	}
	if got := fmt.Sprint(roles); got != "map[cache:1 configuration:3 container:1 description:2 index:2 log:2 other:1 "+
		"report:1]" {
		t.Error(got)
	}
	if strings.Contains(fmt.Sprint(a), "geheim") {
		t.Errorf("%+v", a)
	}
	if got := codes(a); strings.Count(got, source.CodeSecret) != 3 || !strings.Contains(got, findProfile) ||
		!strings.Contains(got, string(wacz.FaultPages)) || strings.Contains(got, string(wacz.FaultNoPackage)) {
		t.Error(got)
	}
	got, reported := outcomes(t, h)
	expect(t, got, wantOutcomes()...)
	if reported != 6 { // four records that are misplaced or broken; a page; a line of a log
		t.Errorf("%d were reported", reported)
	}
}

// TestPackage reads the same as a package: stored and deflated, complete and truncated before its
// directory.
func TestPackage(t *testing.T) {
	files := crawl()
	for p := range files {
		if strings.HasPrefix(p, "crawl") || strings.HasPrefix(p, "profile") || strings.HasPrefix(p, "warc-cdx") {
			delete(files, p)
		}
	}
	packed := described(t, files, nil)
	want := wantOutcomes()[:14]
	for _, c := range []struct {
		name   string
		method uint16
		cut    bool
		codes  string
	}{
		{"stored", zip.Store, false, ""}, {"deflated", zip.Deflate, false, findCompressed + " "},
		{"stored, cut off", zip.Store, true, ""}, {"deflated, cut off", zip.Deflate, true, findCompressed + " "},
	} {
		content := zipped(t, c.method, packed)
		if c.cut {
			content = content[:strings.LastIndex(content, "PK\x01\x02")]
		}
		h := only(t, archive(t, content), Reader{})
		a := h.About()
		if got := codes(a); got != c.codes+source.CodeSecret+" "+string(wacz.FaultPages)+" "+string(wacz.FaultProfile) {
			t.Errorf("%s: %s", c.name, got)
		}
		if a.Title != "Packed" || a.System != model.Browsertrix || h.Checked().Verdict() != wacz.Pass ||
			a.ID != "test" {
			t.Errorf("%s: %+v, %+v", c.name, a, h.Checked())
		}
		got, _ := outcomes(t, h)
		expect(t, got, want...)
	}
}

// TestVerdict checks the dependencies and the signature of a package, and later changes.
func TestVerdict(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	small := map[string]string{"archive/a.warc": rec("warcinfo", begun, "", "application/warc-fields",
		"software: Scoop 1\r\n"), "indexes/index.cdx": "x",
		"pages/pages.jsonl": "{\"url\":\"http://a/\",\"ts\":\"2024-08-13T19:53:22Z\"}\n"}
	signed := func(of string) map[string]string {
		files := described(t, small, map[string]any{"profile": "data-package", "software": "Scoop 1",
			"mainPageUrl": "http://a/", "relation": map[string]any{"requires": []any{"b.wacz",
				map[string]any{"filename": "c.wacz", "crawlId": "c7", "hash": "sha256:00"}}}})
		hash := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(files[wacz.PackageName])))
		sum := sha256.Sum256([]byte(hash + of))
		s, err := ecdsa.SignASN1(rand.Reader, key, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		files[wacz.DigestName] = fmt.Sprintf(`{"path":"datapackage.json","hash":%q,"signedData":{"hash":%q,`+
			`"signature":%q,"publicKey":%q,"created":"2024-08-13T20:00:00Z","software":"S"}}`,
			hash, hash, base64.StdEncoding.EncodeToString(s), base64.StdEncoding.EncodeToString(der))
		return files
	}
	for _, c := range []struct {
		name    string
		files   map[string]string
		change  func(map[string]string)
		codes   string
		verdict wacz.Verdict
	}{
		{"signed", signed(""), nil, findRequires + " " + findSigned, wacz.Pass},
		{"another signature", signed("x"), nil, findRequires + " " + findSignature + " " + findSigned, wacz.Fail},
		{"a container was changed", signed(""), func(m map[string]string) {
			m["archive/a.warc"] += "x"
		}, findRequires + " WACZ-RESOURCE-HASH WACZ-RESOURCE-SIZE" + " " + findSigned, wacz.Fail},
		{"a container is gone", signed(""), func(m map[string]string) {
			delete(m, "archive/a.warc")
		}, findRequires + " WACZ-ARCHIVE-MISSING WACZ-RESOURCE-MISSING" + " " + findSigned, wacz.Fail},
		{"the description was changed", signed(""), func(m map[string]string) {
			m[wacz.PackageName] += " "
		}, findRequires + " WACZ-DIGEST-HASH" + " " + findSigned, wacz.Fail},
	} {
		if c.change != nil {
			c.change(c.files)
		}
		h := only(t, archive(t, zipped(t, zip.Store, c.files)), Reader{})
		a := h.About()
		if codes(a) != c.codes || h.Checked().Verdict() != c.verdict || a.System != model.WACZ ||
			fmt.Sprint(a.Foreign) != "[{b.wacz  0} {c.wacz c7 0}]" || fmt.Sprint(a.Seeds) != "[http://a/]" {
			t.Errorf("%s: %s, %s, %+v", c.name, codes(a), h.Checked().Verdict(), a)
		}
		if !slices.ContainsFunc(a.Evidence, func(e model.Evidence) bool { return e.Fact == "check: signature" }) {
			t.Errorf("%s: no evidence for the signature", c.name)
		}
		again, err := h.Verify(context.Background(), wacz.Options{SkipContent: true})
		if err != nil || again.Step(wacz.StepResources).Verdict == wacz.Pass {
			t.Errorf("%s: %v, %v", c.name, again, err)
		}
	}
}

// TestLayouts checks other layouts: before WACZ, without a description, with foreign files.
func TestLayouts(t *testing.T) {
	warc := rec("warcinfo", begun, "", "application/warc-fields", "software: pywb 2\r\n")
	page := "{\"url\":\"http://a/\",\"ts\":\"2024-08-13T19:53:22Z\"}\n"
	for _, c := range []struct {
		name   string
		files  map[string]string
		roots  string
		files1 int // of the first
	}{
		{"webarchive.yaml",
			map[string]string{"webarchive.yaml": "title: T\npages:\n- url: http://a/\n  date: '2020-10-07T21:22:36Z'\n",
				"archive/a.warc": warc, "indexes/index.cdx": "x"}, ".", 3},
		{"collection.yaml and warcs", map[string]string{"x/collection.yaml": "title: T\n", "x/warcs/a.warc.gz": warc},
			"x", 2},
		{"a package that was unpacked, and others beside it",
			map[string]string{"datapackage.json": `{"profile":"data-package","resources":[{"path":"archive/a.warc"},` +
				`{"path":"other/y"}]}`, "archive/a.warc": warc, "other/x": "x", "other/y": "y", "notes.txt": "n"}, ".",
			3},
		{"files of py-wacz in data",
			map[string]string{"datapackage.json": `{"profile":"data-package",` +
				`"resources":[{"path":"data/archive/a.warc"}]}`, "data/archive/a.warc": warc, "data/pages/pages.jsonl": page}, ".", 3},
		{"no description", map[string]string{"a/archive/a.warc": warc, "a/pages/pages.jsonl": page}, "a", 2},
		{"two crawls", map[string]string{"c/1/archive/a.warc": warc, "c/1/pages/pages.jsonl": page,
			"c/2/archive/a.warc": warc, "c/2/crawls/x.yaml": "a: b"}, "c/1 c/2", 2},
		{"a collection of pywb", map[string]string{"archive/a.warc": warc, "indexes/index.cdxj": "x"}, "", 0},
		{"another data package",
			map[string]string{"datapackage.json": `{"profile":"tabular-data-package","resources":[{"path":"x.csv"}]}`,
				"x.csv": "1"}, "", 0},
		{"containers alone", map[string]string{"archive/a.warc": warc}, "", 0},
		{"a package of packages",
			map[string]string{"datapackage.json": `{"profile":"multi-wacz-package","wacz_version":"1.1.1",` +
				`"resources":[{"path":"x.wacz"}]}`, "x.wacz": "PK"}, "", 0},
	} {
		tr := folder(t, c.files)
		claims, err := Reader{}.Find(context.Background(), tr)
		if err != nil {
			t.Fatal(err)
		}
		var roots []string
		for _, claim := range claims {
			roots = append(roots, claim.Root)
			h, err := claim.Read(context.Background())
			if err != nil || h.About().System != model.WACZ {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if strings.Join(roots, " ") != c.roots || len(claims) > 0 && len(claims[0].Files) != c.files1 {
			t.Errorf("%s: %q, %v", c.name, roots, claims)
		}
	}
	old := only(t,
		folder(t,
			map[string]string{"webarchive.yaml": "title: T\npages:\n- url: http://a/\n  date: " +
				"'2020-10-07T21:22:36Z'\n- url: 5\n- x\n", "archive/a.warc": warc}), Reader{})
	got, _ := outcomes(t, old)
	expect(t, got, "0 http://a/ ", "0 5 ")
	if a := old.About(); a.Title != "T" || fmt.Sprint(a.Counted) != "[{pages 2} {pages that failed 0}]" {
		t.Errorf("%+v", a)
	}
}

// TestPackageOfPackages checks that a package inside a package of packages has the name of the
// collection, and knows whether it is listed there.
func TestPackageOfPackages(t *testing.T) {
	inner := zipped(t, zip.Store, described(t,
		map[string]string{"archive/a.warc": rec("warcinfo", begun, "", "application/warc-fields", "software: A\r\n"),
			"indexes/index.cdx": "x", "pages/pages.jsonl": ""}, map[string]any{"profile": "data-package"}))
	outer := archive(t, zipped(t, zip.Store, map[string]string{"one.wacz": inner, "two.wacz": inner,
		"datapackage.json": `{"profile":"multi-wacz-package","title":"The Collection","organization":"O",` +
			`"resources":[{"path":"one.wacz","hash":"sha256:00"}]}`}))
	if claims, err := (Reader{}).Find(context.Background(), outer); err != nil || len(claims) != 0 ||
		!Lists(outer, "datapackage.json") {
		t.Fatalf("%v, %v", claims, err)
	}
	for name, code := range map[string]string{"one.wacz": "", "two.wacz": "WACZ-UNLISTED"} {
		n, err := outer.Nested(name)
		if err != nil {
			t.Fatal(err)
		}
		a := only(t, n, Reader{}).About()
		if a.Collection != "The Collection" || a.Organization != "O" || codes(a) != code {
			t.Errorf("%s: %q, %s", name, a.Collection, codes(a))
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLooseLogs(t *testing.T) {
	tr := folder(t, map[string]string{"x/crawl.log": "container starts\n" + crawl()["logs/crawl-2.log"],
		"x/other.log": "{\"a\":1}\n", "y.log": "text\n"})
	h := only(t, tr, Loose{})
	a := h.About()
	if a.System != model.Browsertrix || a.ID != "crawl" || a.EndReason != "interrupted" || codes(a) != "" ||
		a.Documentation != model.PartlyDocumented || a.Files[0].Role != model.RoleLog {
		t.Errorf("%+v", a)
	}
	got, reported := outcomes(t, h)
	expect(t, got, "0 https://a.test/late ", "0 https://a.test/denied ")
	if reported != 1 {
		t.Errorf("%d lines were reported", reported)
	}
}
