package exif

// nameOf returns the standard's name of a field, or "" if it is unknown. The same numbers have
// other meanings in the directories of GPS and Interop.
func nameOf(directory string, tag uint16) string {
	switch directory {
	case "GPS":
		if int(tag) < len(gps) {
			return gps[tag]
		}
		return ""
	case "Interop":
		return interop[tag]
	}
	return names[tag]
}

// gps are the fields of GPS, by number (Exif 3.0, 4.6.7).
var gps = []string{
	"GPSVersionID", "GPSLatitudeRef", "GPSLatitude", "GPSLongitudeRef", "GPSLongitude", "GPSAltitudeRef", "GPSAltitude",
	"GPSTimeStamp",
	"GPSSatellites", "GPSStatus", "GPSMeasureMode", "GPSDOP", "GPSSpeedRef", "GPSSpeed", "GPSTrackRef", "GPSTrack",
	"GPSImgDirectionRef",
	"GPSImgDirection", "GPSMapDatum", "GPSDestLatitudeRef", "GPSDestLatitude", "GPSDestLongitudeRef",
	"GPSDestLongitude",
	"GPSDestBearingRef", "GPSDestBearing", "GPSDestDistanceRef", "GPSDestDistance", "GPSProcessingMethod",
	"GPSAreaInformation",
	"GPSDateStamp", "GPSDifferential", "GPSHPositioningError",
}

// interop are the fields of interoperability (Exif 3.0, 4.6.8, and DCF).
var interop = map[uint16]string{
	0x0001: "InteroperabilityIndex", 0x0002: "InteroperabilityVersion", 0x1000: "RelatedImageFileFormat",
	0x1001: "RelatedImageWidth",
	0x1002: "RelatedImageLength",
}

// names are the names of the fields of TIFF 6.0, of Exif 3.0 (4.6.5, 4.6.6), and of other common
// fields.
var names = map[uint16]string{
	0x00fe: "NewSubfileType", 0x00ff: "SubfileType", 0x0100: "ImageWidth", 0x0101: "ImageLength",
	0x0102: "BitsPerSample",
	0x0103: "Compression", 0x0106: "PhotometricInterpretation", 0x0107: "Threshholding", 0x0108: "CellWidth",
	0x0109: "CellLength",
	0x010a: "FillOrder", 0x010d: "DocumentName", 0x010e: "ImageDescription", 0x010f: "Make", 0x0110: "Model",
	0x0111: "StripOffsets",
	0x0112: "Orientation", 0x0115: "SamplesPerPixel", 0x0116: "RowsPerStrip", 0x0117: "StripByteCounts",
	0x0118: "MinSampleValue",
	0x0119: "MaxSampleValue", 0x011a: "XResolution", 0x011b: "YResolution", 0x011c: "PlanarConfiguration",
	0x011d: "PageName",
	0x011e: "XPosition", 0x011f: "YPosition", 0x0120: "FreeOffsets", 0x0121: "FreeByteCounts",
	0x0122: "GrayResponseUnit",
	0x0123: "GrayResponseCurve", 0x0124: "T4Options", 0x0125: "T6Options", 0x0128: "ResolutionUnit",
	0x0129: "PageNumber",
	0x012d: "TransferFunction", 0x0131: "Software", 0x0132: "DateTime", 0x013b: "Artist", 0x013c: "HostComputer",
	0x013d: "Predictor",
	0x013e: "WhitePoint", 0x013f: "PrimaryChromaticities", 0x0140: "ColorMap", 0x0141: "HalftoneHints",
	0x0142: "TileWidth",
	0x0143: "TileLength", 0x0144: "TileOffsets", 0x0145: "TileByteCounts", 0x014a: "SubIFDs", 0x014c: "InkSet",
	0x014d: "InkNames",
	0x014e: "NumberOfInks", 0x0150: "DotRange", 0x0151: "TargetPrinter", 0x0152: "ExtraSamples", 0x0153: "SampleFormat",
	0x0154: "SMinSampleValue", 0x0155: "SMaxSampleValue", 0x0156: "TransferRange", 0x015b: "JPEGTables",
	0x0200: "JPEGProc",
	0x0201: "JPEGInterchangeFormat", 0x0202: "JPEGInterchangeFormatLength", 0x0203: "JPEGRestartInterval",
	0x0205: "JPEGLosslessPredictors", 0x0206: "JPEGPointTransforms", 0x0207: "JPEGQTables", 0x0208: "JPEGDCTables",
	0x0209: "JPEGACTables",
	0x0211: "YCbCrCoefficients", 0x0212: "YCbCrSubSampling", 0x0213: "YCbCrPositioning", 0x0214: "ReferenceBlackWhite",
	0x02bc: "XMP",
	0x4746: "Rating", 0x4749: "RatingPercent", 0x800d: "ImageID", 0x828d: "CFARepeatPatternDim", 0x828e: "CFAPattern",
	0x8298: "Copyright",
	0x829a: "ExposureTime", 0x829d: "FNumber", 0x83bb: "IPTC", 0x8649: "Photoshop", 0x8769: "ExifIFD",
	0x8773: "ICCProfile",
	0x8822: "ExposureProgram", 0x8824: "SpectralSensitivity", 0x8825: "GPSInfo", 0x8827: "PhotographicSensitivity",
	0x8828: "OECF",
	0x882a: "TimeZoneOffset", 0x8830: "SensitivityType", 0x8831: "StandardOutputSensitivity",
	0x8832: "RecommendedExposureIndex",
	0x8833: "ISOSpeed", 0x8834: "ISOSpeedLatitudeyyy", 0x8835: "ISOSpeedLatitudezzz", 0x9000: "ExifVersion",
	0x9003: "DateTimeOriginal",
	0x9004: "DateTimeDigitized", 0x9010: "OffsetTime", 0x9011: "OffsetTimeOriginal", 0x9012: "OffsetTimeDigitized",
	0x9101: "ComponentsConfiguration", 0x9102: "CompressedBitsPerPixel", 0x9201: "ShutterSpeedValue",
	0x9202: "ApertureValue",
	0x9203: "BrightnessValue", 0x9204: "ExposureBiasValue", 0x9205: "MaxApertureValue", 0x9206: "SubjectDistance",
	0x9207: "MeteringMode",
	0x9208: "LightSource", 0x9209: "Flash", 0x920a: "FocalLength", 0x9214: "SubjectArea", 0x927c: "MakerNote",
	0x9286: "UserComment",
	0x9290: "SubSecTime", 0x9291: "SubSecTimeOriginal", 0x9292: "SubSecTimeDigitized", 0x9400: "Temperature",
	0x9401: "Humidity",
	0x9402: "Pressure", 0x9403: "WaterDepth", 0x9404: "Acceleration", 0x9405: "CameraElevationAngle", 0x9c9b: "XPTitle",
	0x9c9c: "XPComment", 0x9c9d: "XPAuthor", 0x9c9e: "XPKeywords", 0x9c9f: "XPSubject", 0xa000: "FlashpixVersion",
	0xa001: "ColorSpace",
	0xa002: "PixelXDimension", 0xa003: "PixelYDimension", 0xa004: "RelatedSoundFile", 0xa005: "InteroperabilityIFD",
	0xa20b: "FlashEnergy",
	0xa20c: "SpatialFrequencyResponse", 0xa20e: "FocalPlaneXResolution", 0xa20f: "FocalPlaneYResolution",
	0xa210: "FocalPlaneResolutionUnit", 0xa214: "SubjectLocation", 0xa215: "ExposureIndex", 0xa217: "SensingMethod",
	0xa300: "FileSource",
	0xa301: "SceneType", 0xa302: "CFAPattern", 0xa401: "CustomRendered", 0xa402: "ExposureMode", 0xa403: "WhiteBalance",
	0xa404: "DigitalZoomRatio", 0xa405: "FocalLengthIn35mmFilm", 0xa406: "SceneCaptureType", 0xa407: "GainControl",
	0xa408: "Contrast",
	0xa409: "Saturation", 0xa40a: "Sharpness", 0xa40b: "DeviceSettingDescription", 0xa40c: "SubjectDistanceRange",
	0xa420: "ImageUniqueID",
	0xa430: "CameraOwnerName", 0xa431: "BodySerialNumber", 0xa432: "LensSpecification", 0xa433: "LensMake",
	0xa434: "LensModel",
	0xa435: "LensSerialNumber", 0xa436: "ImageTitle", 0xa437: "Photographer", 0xa438: "ImageEditor",
	0xa439: "CameraFirmware",
	0xa43a: "RAWDevelopingSoftware", 0xa43b: "ImageEditingSoftware", 0xa43c: "MetadataEditingSoftware",
	0xa460: "CompositeImage",
	0xa461: "SourceImageNumberOfCompositeImage", 0xa462: "SourceExposureTimesOfCompositeImage", 0xa500: "Gamma",
	0xc4a5: "PrintImageMatching",
	0xc612: "DNGVersion", 0xc613: "DNGBackwardVersion", 0xc614: "UniqueCameraModel", 0xea1c: "Padding",
	0xea1d: "OffsetSchema",
}
