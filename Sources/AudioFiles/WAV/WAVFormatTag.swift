/// The format tags of a WAV file's `fmt ` chunk. Source: mmreg.h, RFC 2361.
package enum WAVFormatTag {
  package static let pcm: UInt16 = 0x0001
  package static let msADPCM: UInt16 = 0x0002
  package static let float: UInt16 = 0x0003
  package static let aLaw: UInt16 = 0x0006
  package static let muLaw: UInt16 = 0x0007
  package static let imaADPCM: UInt16 = 0x0011
  package static let gsm610: UInt16 = 0x0031
  package static let extensible: UInt16 = 0xFFFE

  /// Bytes 4 to 15 of every sub-format GUID that begins with a format tag: 0000-0010-8000-00AA00389B71, in the order of
  /// a file.
  package static let guidTail: [12 of UInt8] = [
    0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]
  /// Bytes 4 to 15 of the sub-format GUIDs of ambisonics in B-format: 0721-11D3-8644-C8C1CA000000.
  package static let ambisonicTail: [12 of UInt8] = [
    0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0x00, 0x00, 0x00,
  ]

  /// Returns the codec's name with its tag, such as `IMA ADPCM (format tag 0x0011)`.
  package static func name(of tag: UInt16) -> String {
    let digits = String(tag, radix: 16, uppercase: true)
    let number = "format tag 0x" + String(repeating: "0", count: 4 - digits.count) + digits
    return names[tag].map { "\($0) (\(number))" } ?? "an unknown codec (\(number))"
  }

  private static let names: [UInt16: String] = [
    0x0000: "nothing that is known", 0x0002: "Microsoft ADPCM", 0x0006: "G.711 A-law", 0x0007: "G.711 mu-law",
    0x0008: "DTS", 0x0010: "OKI ADPCM", 0x0011: "IMA ADPCM", 0x0014: "G.723 ADPCM", 0x0016: "G.726 ADPCM",
    0x0020: "Yamaha ADPCM", 0x0022: "TrueSpeech", 0x0031: "GSM 6.10", 0x0040: "G.721 ADPCM",
    0x0045: "G.726 ADPCM",
    0x0050: "MPEG layer 1 or 2", 0x0055: "MP3", 0x0064: "G.726 ADPCM", 0x0065: "G.722 ADPCM", 0x0092: "AC-3",
    0x00FF: "AAC", 0x0160: "Windows Media Audio 1", 0x0161: "Windows Media Audio 2",
    0x0162: "Windows Media Audio Professional", 0x0200: "Creative ADPCM", 0x1610: "AAC", 0x2000: "AC-3",
    0x2001: "DTS", 0x566F: "Vorbis", 0x674F: "Vorbis", 0x676F: "Vorbis", 0x6771: "Vorbis", 0x704F: "Opus",
    0xF1AC: "FLAC", 0xFFFE: "a nested extensible format",
  ]
}
