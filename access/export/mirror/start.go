package mirror

import "html/template"

// The start page, in three parts, because the list may be long.
var begin = template.Must(template.New("begin").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}: archived pages</title>
<style>
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884;` +
	`overflow-wrap:anywhere}
td:last-child{white-space:nowrap}
small{opacity:.8}
</style>
</head>
<body>
<h1>{{.Title}}</h1>
{{with .Description}}<p>{{.}}</p>
{{end}}<p>This folder is an archived website: package <strong>{{.ID}}</strong>, version {{.Version}}, as one ` +
	`capture of each URL. It needs neither server nor
connection. <a href="{{.Names}}">{{.Names}}</a> says which file is what; <a href="{{.Kept}}">{{.Kept}}</a>, ` +
	`what was kept back and why. Made by {{.Software}}.</p>
<table>
<caption><small>{{.Count}} pages, by address</small></caption>
<thead><tr><th scope="col">Page</th><th scope="col">Captured</th></tr></thead>
<tbody>
`))

var row = template.Must(template.New("row").Parse(
	`<tr><td><a href="{{.Href}}">{{.Title}}</a><br><small>{{.URL}}</small></td><td>{{.When}}</td></tr>
`))

const ending = `</tbody>
</table>
</body>
</html>
`
