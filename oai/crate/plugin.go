package crate

import (
	"encoding/base64"

	"quire/metadata/xmlstream"
	"quire/oai/plugin"
)

// writePlugin writes the output of one tool, always unchanged: as text if it is valid XML text,
// otherwise as Base64.
func writePlugin(x *xmlstream.Writer, r *plugin.Result) error {
	r = fitting(r)
	x.Declare("crate", Namespace)
	x.Start("crate:plugin")
	x.AttrOpt("tool", r.Tool)
	x.AttrOpt("command", r.Command)
	x.AttrTimeOpt("began", r.Began)
	x.AttrOpt("jail", r.Jail)
	x.Element("crate:PluginLabel", r.Label)
	x.Element("crate:PluginVersion", r.Version)
	x.Start("crate:PluginContent")
	x.AttrOpt("mimeType", r.MIMEType)
	x.AttrOpt("outcome", string(r.Outcome))
	x.AttrOpt("reason", r.Reason)
	if text := string(r.Bytes); xmlstream.Sanitize(text) == text {
		x.Text(text)
	} else {
		x.Attr("encoding", "base64")
		x.Text(base64.StdEncoding.EncodeToString(r.Bytes))
	}
	x.End("crate:PluginContent")
	x.End("crate:plugin")
	return x.Err()
}

// plugin reads the current crate:plugin.
func (r *reading) plugin(of xmlstream.Element) (said plugin.Result, err error) {
	said.Tool, said.Command, said.Jail = of.Attr("tool"), of.Attr("command"), of.Attr("jail")
	said.Began = r.timeAttr(of, "began")
	err = r.EachIn(Namespace, func(e xmlstream.Element) error {
		switch e.Local {
		case "PluginLabel":
			return r.TextTo(&said.Label)
		case "PluginVersion":
			return r.TextTo(&said.Version)
		case "PluginContent":
			said.MIMEType, said.Outcome, said.Reason = e.Attr("mimeType"), plugin.Outcome(e.Attr("outcome")),
				e.Attr("reason")
			said.Bytes, err = r.output(e)
			return err
		}
		return r.unknown()
	})
	return said, err
}

// output reads the current PluginContent. It keeps invalid Base64 unchanged and reports a problem.
func (r *reading) output(e xmlstream.Element) ([]byte, error) {
	text, err := r.Text()
	if err != nil || e.Attr("encoding") != "base64" {
		return []byte(text), err
	}
	said, wrong := base64.StdEncoding.DecodeString(text)
	if wrong != nil {
		r.problem("PluginContent: %v", wrong)
		return []byte(text), nil
	}
	return said, nil
}
