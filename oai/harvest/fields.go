package harvest

// Named fields of the records that a harvest writes (docs/reference/590_harvest.md).
const (
	fieldIdentifier = "OAI-Identifier"
	fieldDatestamp  = "OAI-Datestamp"
	fieldPrefix     = "OAI-Metadata-Prefix"
	fieldCoding     = "Payload-Coding" // content coding of the bytes

	FieldPart = "OAI-Part" // kind of a metadata record: one of the parts below
	// FieldResources has the URIs of the resources that the metadata concern, separated by spaces;
	// only if there are several.
	FieldResources = "OAI-Resources"

	FieldLabel   = "Tool-Label"   // of the tool with this output
	FieldVersion = "Tool-Version" // of that tool
	FieldOutcome = "Tool-Outcome" // kind of failure
	FieldReason  = "Tool-Reason"  // of the failure
	FieldTool    = "Tool-Name"    // the program, or built-in tool
	FieldCommand = "Tool-Command" // its command line
	FieldBegan   = "Tool-Date"    // start of its run
	FieldJail    = "Tool-Jail"    // its restrictions
)

// The kinds of metadata records.
const (
	PartFacts     = "facts"       // of the harvester, as warc-fields
	PartHead      = "http-header" // as the document has it
	PartOutput    = "tool-output" // of one tool
	PartSource    = "source"      // output of tools that earlier holders ran: the element crate:source
	PartStatement = "statement"   // another statement of the document
	PartAbout     = "about"       // an about of the OAI-PMH record
	PartDocument  = "document"    // a CRATE or DIDL as received
	PartSchema    = "schema"      // an XML schema that documents name
	PartMetadata  = "metadata"    // the metadata as received, of other formats
	PartDeleted   = "deleted"     // the record is deleted at its server
)
