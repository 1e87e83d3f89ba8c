package wget

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quire/source/internal/zone"
)

// toldOf returns an attempt as one line.
func toldOf(a *attempt) string {
	s := fmt.Sprintf("%s %s %d", a.URL, a.Asked.Format("15:04:05"), a.Status)
	for _, f := range []struct {
		name, value string
	}{{" reason=", a.Reason}, {" to=", a.Location}, {" mime=", a.MIME}, {" file=", a.Named}, {" problem=", a.Problem},
		{" ", a.Try}} {
		if f.value != "" {
			s += f.name + f.value
		}
	}
	if a.Got >= 0 {
		s += fmt.Sprintf(" got=%d", a.Got)
	}
	if a.Saved {
		s += " saved"
	}
	if a.Kept {
		s += " kept"
	}
	return s
}

// TestLogLanguages reads the log of one page in several versions and languages. The forms of lines
// come from Wget 1.21.3 and its translations, and from logs of earlier versions.
func TestLogLanguages(t *testing.T) {
	want := "http://a.test/old 16:16:27 301 reason=Moved to=/x\n" +
		"http://a.test/x 16:16:27 200 reason=OK mime=text/html file=a.test/x got=42 saved\n" +
		"http://a.test/gone 16:16:28 404 reason=Not Found\n"
	for _, c := range []struct{ name, asked, moved, length, saving, saved, failed, end string }{
		{"English", "HTTP request sent, awaiting response... ", "Location: /x [following]", "Length: 42 [text/html]",
			"Saving to: ‘a.test/x’", "(5.37 MB/s) - ‘a.test/x’ saved [42/42]", "ERROR 404: Not Found.",
			"FINISHED --%s--"},
		{"C locale", "HTTP request sent, awaiting response... ", "Location: /x [following]", "Length: 42 [text/html]",
			"Saving to: `a.test/x'", "(5.37 MB/s) - `a.test/x' saved [42/42]", "ERROR 404: Not Found.",
			"FINISHED --%s--"},
		{"German", "HTTP-Anforderung gesendet, auf Antwort wird gewartet … ", "Platz: /x [folgend]",
			"Länge: 42 [text/html]", "Wird in »a.test/x« gespeichert.", "(5,37 MB/s) - »a.test/x« gespeichert [42/42]",
			"FEHLER 404: Not Found.", "BEENDET --%s--"},
		{"French", "requête HTTP transmise, en attente de la réponse… ", "Emplacement\u00a0: /x [suivant]",
			"Taille\u00a0: 42 [text/html]", "Sauvegarde en\u00a0: «\u00a0a.test/x\u00a0»",
			"(5,37 MB/s) — «\u00a0a.test/x\u00a0» sauvegardé [42/42]", "erreur\u00a0404\u00a0: Not Found.",
			"Terminé —\u00a0%s\u00a0—"},
		{"Japanese", "HTTP による接続要求を送信しました、応答を待っています... ", "場所: /x [続く]", "長さ: 42 [text/html]", "`a.test/x' に保存中",
			"(5.37 MB/s) - `a.test/x' へ保存完了 [42/42]", "エラー 404: Not Found。", "終了しました --%s--"},
		{"Czech", "HTTP požadavek odeslán, program čeká na odpověď… ", "Přesměrováno na: /x [následuji]",
			"Délka: 42 [text/html]", "Ukládám do: „a.test/x“", "(5,37 MB/s)\u00a0– „a.test/x“ uloženo [42/42]",
			"CHYBA 404: Not Found.", "KONEC --%s--"},
		{"Chinese", "已发出 HTTP 请求，正在等待回应... ", "位置：/x [跟随至新的 URL]", "长度：42 [text/html]", "正在保存至: “a.test/x”",
			"(5.37 MB/s) - 已保存 “a.test/x” [42/42])", "错误 404：Not Found。", "下载完毕 --%s--"},
		{"Russian", "HTTP-запрос отправлен. Ожидание ответа… ", "Адрес: /x [переход]", "Размер (байт): 42 [text/html]",
			"Сохранение в: «a.test/x»", "(5,37 MB/s) - «a.test/x» сохранён [42/42]", "ОШИБКА 404: Not Found.",
			"ЗАВЕРШЕНО --%s--"},
		{"Lithuanian", "HTTP užklausa išsiųsta, laukiama atsakymo...", "Vieta: /x [sekama]", "Dydis: 42 [text/html]",
			"           => ‘a.test/x’", "(5.37 MB/s) - ‘a.test/x’ saved [42/42]", "KLAIDA 404: Not Found.",
			"BAIGTA --%s--"},
	} {
		const at = "2026-11-22 16:16:2"
		text := "--" + at + "7--  http://a.test/old\nConnecting to a.test|10.0.0.1|:80... connected.\n" + c.asked +
			"301 Moved\n" + c.moved + "\n" +
			"--" + at + "7--  http://a.test/x\n" + c.asked + "200 OK\n" + c.length + "\n" + c.saving +
			"\n\n     0K .......... 100% 5.37M=0s\n\n" +
			at + "7 " + c.saved + "\n\n--" + at + "8--  http://a.test/gone\n" + c.asked + "404 Not Found\n" + at +
			"8 " + c.failed + "\n\n" +
			fmt.Sprintf(c.end, at+"9") + "\nTotal wall clock time: 2s\nDownloaded: 1 files, 42 in 0s\n"
		got, j := readAll(t, text)
		if got != want {
			t.Errorf("%s:\n%s", c.name, got)
		}
		if j.Finished.Format(time.DateTime) != at+"9" || len(j.Summary) != 2 || !j.Verbose || j.Undated || !j.ended() ||
			j.End == "" {
			t.Errorf("%s: %+v", c.name, j)
		}
	}
}

func readAll(t *testing.T, text string) (string, *journal) {
	t.Helper()
	var j journal
	var b strings.Builder
	r := &logReader{journal: &j, attempt: func(a *attempt) bool { b.WriteString(toldOf(a) + "\n"); return true },
		turned: func(line, result string) { b.WriteString("turned " + line + " -> " + result + "\n") },
		kept:   func(n []string) { b.WriteString("there " + n[0] + "\n") }}
	if err := readLog(strings.NewReader(text), r); err != nil {
		t.Fatal(err)
	}
	return b.String(), &j
}

func TestLogKinds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"not verbose",
			"2026-11-20 21:06:06 URL:http://a.test/ [541/541] -> \"a.test/index.html\" [1]\nhttp://a.test/gone:\n" +
				"2026-11-20 21:06:07 ERROR 404: Not Found.\n" +
				"2026-11-20 21:06:08 URL:http://a.test/c [2,788] -> \"a.test/c\" [1]\nhttp://a.test/dead:\nRemote " +
				"file " +
				"does not exist -- broken link!!!\n",
			"http://a.test/ 00:00:00 0 file=a.test/index.html got=541 saved\nhttp://a.test/gone 00:00:00 404 " +
				"reason=Not Found\n" +
				"http://a.test/c 00:00:00 0 file=a.test/c got=2788 saved\nhttp://a.test/dead 00:00:00 0 " +
				"problem=Remote file does not exist -- broken link!!!\n"},
		{"not verbose, with heads",
			"  HTTP/1.1 301 Moved\n  Location: /\n  HTTP/1.1 200 Fine\n  Date: x\n2026-11-20 21:06:06 " +
				"URL:http://a.test/ [5/5] -> \"a.test/index.html\" [1]\n",
			"http://a.test/ 00:00:00 200 reason=Fine file=a.test/index.html got=5 saved\n"},
		{"FTP, not verbose", "2026-11-20 21:20:46 URL: ftp://a.test:2121/pub/ [186] -> \"tmp/.listing\" [1]\n",
			"ftp://a.test:2121/pub/ 00:00:00 0 file=tmp/.listing got=186 saved\n"},
		{"spider", "2026-11-22 15:27:44 URL: http://a.test/ 200 OK\n", "http://a.test/ 15:27:44 200 reason=OK\n"},
		{"version 1.8",
			"--23:59:59--  http://a.test/\n           => `a.test/index.html'\nHTTP request sent, awaiting " +
				"response... 200 OK\nLength: 1,438 [text/html]\n\n00:00:01 (21.98 MB/s) - `a.test/index.html' saved " +
				"[1438/1438]\n\n\nFINISHED --00:00:01--\nDownloaded: 1,438 bytes in 1 files\nConverting " +
				"a.test/index.html... 12-3\n",
			"http://a.test/ 23:59:59 200 reason=OK mime=text/html file=a.test/index.html got=1438 saved\nturned " +
				"Converting a.test/index.html -> 12-3\n"},
		{"refused, tried again, abandoned",
			"--2026-11-22 15:27:44--  http://a.test/x\nConnecting to a.test|::1|:80... failed: Connection refused.\n" +
				"Retrying.\n\n--2026-11-22 15:27:45--  (try: 2)  http://a.test/x\nConnecting to a.test|::1|:80... " +
				"failed: Connection refused.\nGiving up.\n\n",
			"http://a.test/x 15:27:44 0 problem=Connecting to a.test|::1|:80... failed: Connection refused. " +
				"Retrying.\nhttp://a.test/x 15:27:45 0 problem=Connecting to a.test|::1|:80... failed: Connection " +
				"refused. Giving up. try: 2\n"},
		{"no such host",
			"--2026-11-22 15:27:44--  http://a.test/\nResolving a.test... failed: Name or service not known.\nwget: " +
				"unable to resolve host address ‘a.test’\n",
			"http://a.test/ 15:27:44 0 problem=Resolving a.test... failed: Name or service not known. wget: unable " +
				"to resolve host address ‘a.test’\n"},
		{"cannot write",
			"--2026-11-22 15:27:44--  http://a.test/d\nHTTP request sent, awaiting response... 200 OK\nLength: 37 " +
				"[text/html]\na.test/d: Is a directory\n\nCannot write to ‘a.test/d’ (Is a directory).\n",
			"http://a.test/d 15:27:44 200 reason=OK mime=text/html file=a.test/d problem=Cannot write to ‘a.test/d’ " +
				"(Is a directory).\n"},
		{"broken off",
			"--2026-11-22 15:27:44--  http://a.test/d\nHTTP request sent, awaiting response... 200 OK\nLength: 37 " +
				"[image/png]\nSaving to: ‘a.test/d’\n\n2026-11-22 15:27:45 (1 KB/s) - Connection closed at byte 12. " +
				"Retrying.\n",
			"http://a.test/d 15:27:44 200 reason=OK mime=image/png file=a.test/d problem=Connection closed at byte " +
				"12. Retrying.\n"},
		{"was there",
			"--2026-11-22 15:27:44--  http://a.test/\nHTTP request sent, awaiting response... 304 Not Modified\nFile " +
				"‘a.test/index.html’ not modified on server. Omitting download.\n\n--2026-11-22 15:27:44--  " +
				"http://a.test/y\nHTTP request sent, awaiting response... 200 OK\nServer ignored If-Modified-Since " +
				"header for file ‘a.test/y’.\nYou might want to add --no-if-modified-since option.\n\nFINISHED " +
				"--2026-11-22 15:27:44--\n",
			"http://a.test/ 15:27:44 304 reason=Not Modified file=a.test/index.html kept\nhttp://a.test/y 15:27:44 " +
				"200 reason=OK file=a.test/y kept\n"},
		{"was there, -nc", "File ‘a.test/index.html’ already there; not retrieving.\n\n", "there a.test/index.html\n"},
		{"cut",
			"--2026-11-22 15:27:44--  http://a.test/\nHTTP request sent, awaiting response... 200 OK\nLength: 1 " +
				"[text/html]\nSaving to: ‘a.test/index.html’\n",
			"http://a.test/ 15:27:44 200 reason=OK mime=text/html file=a.test/index.html problem=Saving to: " +
				"‘a.test/index.html’\n"},
		{"to the standard output",
			"--2026-11-22 15:27:44--  http://a.test/\nHTTP request sent, awaiting response... 200 OK\nLength: " +
				"unspecified [text/html]\nSaving to: ‘STDOUT’\n\n2026-11-22 15:27:45 (1 KB/s) - written to stdout " +
				"[30550]\n",
			"http://a.test/ 15:27:44 200 reason=OK mime=text/html file=STDOUT got=30550 saved\n"},
		{"converted",
			"FINISHED --2026-11-22 15:27:44--\nTotal wall clock time: 1s\nDownloaded: 1 files\nConverting links in " +
				"a.test/x.html... nothing to do.\nConverting links in a.test/y.css... 1.\n1-0\n",
			"turned Converting links in a.test/x.html -> nothing to do.\nturned Converting links in a.test/y.css -> " +
				"1.\n"},
		{"none of it", "some text\nhttp\n--x--\n\x00\xff\n", ""},
	} {
		if got, _ := readAll(t, c.text); got != c.want {
			t.Errorf("%s:\n%q\n%q", c.name, got, c.want)
		}
	}
}

// TestDebugLog reads a debug log with the heads as sent and received, and with secrets.
func TestDebugLog(t *testing.T) {
	text := "DEBUG output created by Wget 1.21.3 on linux-gnu.\n\n--2026-11-22 15:27:42--  " +
		"http://u:*password*@a.test/\n---request begin---\nGET / HTTP/1.1\r\nUser-Agent: W/1\r\nCookie: a=b\r\n\r\n" +
		"---request end---\nHTTP request sent, awaiting response... \n" +
		"---response begin---\nHTTP/1.1 200 OK\r\nDate: x\r\n\r\n---response end---\n200 OK\nLength: 2 [text/html]\n" +
		"Saving to: ‘x’\n2026-11-22 15:27:42 (1 MB/s) - ‘x’ saved [2/2]\n"
	var j journal
	var all []*attempt
	if err := readLog(strings.NewReader(text),
		&logReader{journal: &j, attempt: func(a *attempt) bool { all = append(all, a); return true }}); err != nil ||
		len(all) != 1 {
		t.Fatal(len(all), err)
	}
	a := all[0]
	if j.Version != "Wget 1.21.3 on linux-gnu" || j.Agent != "W/1" || len(j.Revealing) != 1 || a.Status != 200 ||
		!a.Saved || withoutUser(a.URL) != "http://a.test/" {
		t.Errorf("%+v %+v", j, a)
	}
	if head := text[a.Head.From:a.Head.To]; head != "HTTP/1.1 200 OK\r\nDate: x\r\n\r\n" || !a.Head.Exact {
		t.Errorf("%q", head)
	}
	if request := text[a.Request.From:a.Request.To]; request != "GET / HTTP/1.1\r\nUser-Agent: W/1\r\nCookie: a=b\r\n"+
		"\r\n" {
		t.Errorf("%q", request)
	}
}

func TestClock(t *testing.T) {
	read := func(text string) *journal { _, j := readAll(t, text); return j }
	written := time.Date(2003, 4, 3, 15, 0, 2, 0, time.UTC)
	for _, c := range []struct {
		name, text string
		log, file  time.Time // mtimes; the file belongs to the last line
		want       string    // of the first time, UTC
	}{
		{"dated, ten hours ahead", "--2003-04-04 00:59:00--  http://a/\nFINISHED --2003-04-04 01:00:01--\n", written,
			written.Add(-time.Second), "2003-04-03 14:59:00"},
		{"the log alone", "--2003-04-04 00:59:00--  http://a/\nFINISHED --2003-04-04 01:00:01--\n", written,
			time.Time{}, ""},
		{"without a day, over midnight", "--23:59:00--  http://a/\n--01:00:01--  http://b/\n", written, written,
			"2003-04-03 13:59:00"},
		{"without a day, the log alone", "--23:59:00--  http://a/\n--01:00:01--  http://b/\n", written, time.Time{},
			""},
		{"without a day, east or west of the date line", "--00:00:00--  http://a/\n--03:00:01--  http://b/\n", written,
			written, ""},
		{"copied later", "--2003-04-04 00:59:00--  http://a/\n", written.Add(100 * time.Hour), time.Time{}, ""},
		{"nobody knows when", "--2003-04-04 00:59:00--  http://a/\n", time.Time{}, time.Time{}, ""},
	} {
		j := read(c.text)
		file := &zone.Evidence{Kind: "file", Undated: j.Undated}
		file.Add(j.Last, c.file)
		clk := clockOf(j, logWritten(j, c.log), file)
		at, ok := clk.utc(j.First)
		if got := at.Format(time.DateTime); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %s, %v", c.name, got, ok)
		}
	}
	c := clock{known: true, zone: zone.Zone{}}
	if at := c.local(written); !at.Equal(written) {
		t.Error(at)
	}
}

func FuzzLog(f *testing.F) {
	f.Add([]byte("--2026-11-22 15:27:44--  http://a.test/\nHTTP request sent, awaiting response... 200 OK\nLength: 1 " +
		"[text/html]\nSaving to: ‘a’\n2026-11-22 15:27:45 (1 KB/s) - ‘a’ saved [1/1]\nFINISHED --2026-11-22 " +
		"15:27:44--\n"))
	f.Add([]byte("--23:59:59--  http://a/\n           => `a'\n  HTTP/1.1 200 OK\n 2 A: b\n---response begin---\nx\n" +
		"---response end---\nhttp://a:\nx ERROR 404: y\n23:00:00 ERROR 404: y\n"))
	f.Add([]byte("2026-11-20 21:06:06 URL:http://a.test/ [541/541] -> \"a\" [1]\nConverting x... 1.\n" +
		"REASON\tU_URL\tx\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		var j journal
		n := int64(0)
		err := readLog(strings.NewReader(string(log)),
			&logReader{journal: &j, turned: func(string, string) {}, kept: func([]string) {},
				attempt: func(a *attempt) bool {
					n++
					c := clockOf(&j, logWritten(&j, time.Unix(1e9, 0)))
					fetch := fetchOf(a, &c, false)
					if a.Offset < 0 || a.Offset > int64(len(log)) || a.Head.To > int64(len(log)) ||
						a.Head.From > a.Head.To ||
						a.Line < 1 || fetch.Size < -1 {
						t.Errorf("%+v", a)
					}
					_ = resolve(a.URL, a.Location)
					_ = ownName(a.Named, a.URL)
					return true
				}})
		if err != nil || n != j.Requests {
			t.Errorf("%d of %d, %v", n, j.Requests, err)
		}
	})
}
