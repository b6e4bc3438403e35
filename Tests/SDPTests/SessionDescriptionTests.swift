import RTP
import SDP
import SRTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SessionDescriptionTests {
  /// What ffmpeg 5.1 writes with -sdp_file for a mono stream, with SRTP.
  static let ffmpeg = [
    "v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=No Name", "c=IN IP4 127.0.0.1", "t=0 0",
    "a=tool:libavformat LIBAVFORMAT_VERSION", "m=audio 25000 RTP/AVP 97", "b=AS:64", "a=rtpmap:97 opus/48000/2",
    "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd",
  ]

  /// The audio of a browser's offer, shortened: addresses, codecs and attributes that are passed over around what is
  /// read.
  static let browser = [
    "v=0", "o=- 4611731400430051336 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0", "a=sendonly",
    "m=audio 9 UDP/TLS/RTP/SAVPF 111 63", "c=IN IP4 0.0.0.0", "a=rtpmap:111 opus/48000/2",
  ]

  private func read(_ lines: [String], end: String = "\r\n") throws -> SessionDescription {
    try SessionDescription(parsing: lines.map { $0 + end }.joined())
  }

  /// `lines` of a plain description, some of the stream added.
  private func audio(_ added: String...) throws -> AudioStreamDescription {
    try read(
      [
        "v=0", "o=- 1 2 IN IP4 10.0.0.1", "s=x", "c=IN IP4 10.0.0.2", "t=0 0", "m=audio 5004 RTP/AVP 96",
        "a=rtpmap:96 opus/48000/2",
      ]
        + added
    ).audio
  }

  @Test("ffmpeg's description is read with any line end", arguments: ["\r\n", "\n"])
  func reads(end: String) throws {
    let description = try read(Self.ffmpeg, end: end)
    #expect(description.address == NetworkAddress("127.0.0.1") && description.name == "No Name")
    #expect(description.audio.port == 25_000 && description.audio.payloadType == 97)
    #expect(description.audio.profile == .plain && description.audio.isProtected)
    #expect(description.audio.crypto.map(\.suite) == [.aesCM128HMACSHA1_80])
    let key = try description.audio.crypto[0].makeKey()
    #expect(key.base64() == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd")
  }

  @Test("a description is written as RFC 8866 orders it, and read again")
  func writes() throws {
    let description = SessionDescription(
      sessionID: 1, version: 2, name: "call", address: NetworkAddress("::1"), audio: AudioStreamDescription(port: 5004))
    #expect(
      description.text
        == "v=0\r\no=- 1 2 IN IP6 ::1\r\ns=call\r\nc=IN IP6 ::1\r\nt=0 0\r\nm=audio 5004 RTP/AVP 96\r\n"
        + "a=rtpmap:96 opus/48000/2\r\na=sendrecv\r\n")
    #expect(try SessionDescription(parsing: description.text) == description)
  }

  @Test("a description with every field is read as it was written", arguments: SRTPSuite.allCases)
  func roundTrip(suite: SRTPSuite) throws {
    var generator = SeededGenerator(seed: 1)
    var audio = AudioStreamDescription(port: 65_535, profile: .secureWithFeedback, payloadType: 111)
    audio.direction = .receiveOnly
    audio.parameters.usesForwardErrorCorrection = true
    audio.parameters.minimumPacketMilliseconds = 10
    audio.packetMilliseconds = 2.5
    audio.maximumPacketMilliseconds = 60
    audio.crypto = [
      CryptoAttribute(tag: 1, SRTPKey(suite, using: &generator)),
      CryptoAttribute(tag: 2, SRTPKey(suite, using: &generator)),
    ]
    audio.headerExtensions = [
      HeaderExtensionMapping(identifier: 1, uri: AudioLevel.uri), HeaderExtensionMapping(identifier: 14, uri: "urn:x"),
    ]
    audio.rtcpPort = 9
    audio.rtcpAddress = NetworkAddress("192.0.2.9")
    audio.usesRTCPMux = true
    audio.usesReducedSizeRTCP = true
    audio.supportsNack = true
    let description = SessionDescription(
      sessionID: .max, version: 7, origin: NetworkAddress("host.example"), name: "a name",
      address: NetworkAddress("192.0.2.1"),
      audio: audio)
    #expect(try SessionDescription(parsing: description.text) == description)
    #expect(audio.identifier(ofExtension: AudioLevel.uri) == 1 && audio.identifier(ofExtension: "urn:y") == nil)
  }

  @Test("a stream's own address, direction and Opus are found among others")
  func several() throws {
    let description = try read(
      [
        "v=0", "o=- 1 1 IN IP4 10.0.0.1", "s=-", "c=IN IP4 224.2.36.42/127", "t=0 0", "a=recvonly",
        "m=video 4000 RTP/AVP 97",
        "a=rtpmap:97 VP8/90000", "a=inactive", "m=audio 4002 RTP/AVP 9 3", "m=audio 5006/2 RTP/AVP 9 101 98 99",
        "a=rtpmap:101 telephone-event/48000", "a=rtpmap:98 OPUS/48000/2", "a=fmtp:98 useinbandfec=1", "a=fmtp:101 0-15",
        "a=rtcp-fb:* nack", "a=rtcp-fb:98 nack pli", "a=rtcp:5010 IN IP4 10.0.0.9",
        "a=extmap:3/sendonly \(AudioLevel.uri) vad=on",
        "a=extmap:4096 urn:too-large",
      ])
    #expect(description.address.host == "224.2.36.42")
    let audio = description.audio
    #expect(audio.port == 5006 && audio.payloadType == 98 && audio.direction == .receiveOnly)
    #expect(audio.parameters.usesForwardErrorCorrection == true && audio.supportsNack && audio.rtcpPort == 5010)
    #expect(audio.rtcpAddress == NetworkAddress("10.0.0.9"))
    #expect(
      audio.headerExtensions == [HeaderExtensionMapping(identifier: 3, uri: AudioLevel.uri, attributes: "vad=on")])
    let own = try read(
      [
        "v=0", "s=-", "c=IN IP4 10.0.0.1", "a=sendonly", "m=audio 1 RTP/AVP 96", "c=IN IP6 fe80::1",
        "a=rtpmap:96 opus/48000/2", "a=inactive",
      ])
    #expect(own.address == NetworkAddress("fe80::1") && own.audio.direction == .inactive)
  }

  @Test("a switched-off stream is taken only without a usable one", .shows("rtp: descriptions"))
  func switchedOff() throws {
    let head = ["v=0", "s=-", "c=IN IP4 10.0.0.1"]
    let off = ["m=audio 0 RTP/AVP 96", "a=rtpmap:96 opus/48000/2"]
    let on = ["m=audio 5004 RTP/AVP 97", "a=rtpmap:97 opus/48000/2"]
    #expect(try read(head + off + on).audio.port == 5004)
    #expect(try read(head + on + off).audio.port == 5004)
    #expect(try read(head + off).audio.port == 0)
  }

  @Test(
    "multicast groups are known by their digits, IPv4 ones have a lifetime",
    arguments: [
      ("224.0.0.1", true), ("239.255.255.255", true), ("ff02::1", true), ("FF3e::1", true), ("223.0.0.1", false),
      ("240.0.0.1", false), ("239.1.2", false), ("239.1.2.3.example", false), ("ffmpeg.example", false),
      ("fe80::1", false),
    ])
  func groups(host: String, isMulticast: Bool) throws {
    let address = NetworkAddress(host)
    #expect(address.isMulticast == isMulticast)
    let description = SessionDescription(address: address, audio: AudioStreamDescription(port: 5004))
    #expect(description.text.contains("\(host)/1\r\n") == (isMulticast && !address.isIPv6))
    #expect(try SessionDescription(parsing: description.text) == description)
  }

  /// A payload type list, its mappings, and the format and type that are taken.
  struct Offer: Sendable {
    let types: String
    let maps: [String]
    let format: String
    let type: UInt8
  }

  @Test(
    "the first known format of an offer is taken", .shows("rtp: codecs"),
    arguments: [
      // Asterisk, a gateway without mappings, FreeSWITCH, and a studio.
      Offer(
        types: "0 8 101", maps: ["0 PCMU/8000", "8 PCMA/8000", "101 telephone-event/8000"], format: "PCMU/8000", type: 0
      ),
      Offer(types: "8 0", maps: [], format: "PCMA/8000", type: 8),
      Offer(types: "9 3 0 13", maps: ["9 G722/8000"], format: "PCMU/8000", type: 0),
      Offer(types: "102 8", maps: ["102 opus/48000/2"], format: "opus/48000/2", type: 102),
      Offer(types: "96", maps: ["96 L16/44100/2"], format: "L16/44100/2", type: 96),
      Offer(types: "97", maps: ["97 l16/16000"], format: "L16/16000", type: 97),
      Offer(types: "11", maps: [], format: "L16/44100", type: 11),
      Offer(types: "98 10", maps: ["98 L16/96000/6"], format: "L16/44100/2", type: 10),
      Offer(types: "99", maps: ["99 PCMU/8000/1"], format: "PCMU/8000", type: 99),
    ])
  func formats(offer: Offer) throws {
    let description = try read(
      ["v=0", "c=IN IP4 10.0.0.2", "m=audio 5004 RTP/AVP \(offer.types)"] + offer.maps.map { "a=rtpmap:\($0)" })
    #expect(description.audio.format.description == offer.format)
    #expect(description.audio.payloadType == offer.type)
    #expect(description.audio.telephoneEvents?.payloadType == (offer.types.hasSuffix("101") ? 101 : nil))
    let again = try SessionDescription(parsing: description.text)
    #expect(again.audio.format == description.audio.format && again.audio.payloadType == offer.type)
  }

  @Test("a text that describes no known audio is refused in a sentence")
  func refused() throws {
    #expect(throws: SDPError.version) { try read([]) }
    #expect(throws: SDPError.version) { try read(["o=- 1 1 IN IP4 10.0.0.1"]) }
    #expect(throws: SDPError.line(number: 2)) { try read(["v=0", "hello"]) }
    #expect(throws: SDPError.noAudio) { try read(["v=0", "s=-", "m=audio 5004 RTP/AVP 3"]) }
    #expect(throws: SDPError.noAudio) {
      try read(["v=0", "s=-", "m=video 5004 RTP/AVP 96", "a=rtpmap:96 opus/48000/2"])
    }
    #expect(throws: SDPError.noAddress) {
      try read(["v=0", "s=-", "m=audio 5004 RTP/AVP 96", "a=rtpmap:96 opus/48000/2"])
    }
    #expect(throws: SDPError.profile("UDP/TLS/RTP/SAVPF")) { try read(Self.browser) }
    #expect(throws: SDPError.value(number: 9, of: "mapping of Opus (opus/48000/2)")) {
      try read(Self.browser.dropLast() + ["a=rtpmap:111 opus/16000/2"])
    }
    #expect(throws: SDPError.value(number: 2, of: "port, transport and payload types")) {
      try read(["v=0", "m=audio 70000 RTP/AVP 96"])
    }
    #expect(throws: SDPError.value(number: 2, of: "address")) {
      try read(["v=0", "c=IN IP5 10.0.0.1", "m=audio 5004 RTP/AVP 96", "a=rtpmap:96 opus/48000/2"])
    }
    for type in ["64", "95"] {
      #expect(throws: SDPError.value(number: 4, of: "payload type (64 to 95 look like RTCP)")) {
        try read(["v=0", "c=IN IP4 10.0.0.1", "m=audio 5004 RTP/AVP \(type)", "a=rtpmap:\(type) opus/48000/2"])
      }
    }
    #expect(throws: SDPError.value(number: 8, of: "port")) { try audio("a=rtcp:x") }
    #expect(throws: SDPError.value(number: 8, of: "port")) { try audio("a=rtcp:0") }
    #expect(throws: SDPError.value(number: 8, of: "address")) { try audio("a=rtcp:5005 IN IP4") }
  }

  @Test("Opus with one channel or none in its mapping is Opus", arguments: ["OPUS/48000/1", "opus/48000"])
  func mappings(mapping: String) throws {
    let description = try read([
      "v=0", "s=-", "c=IN IP4 10.0.0.2", "m=audio 5004 RTP/AVP 9 111", "a=rtpmap:111 \(mapping)",
    ])
    #expect(description.audio.payloadType == 111)
  }

  @Test("key presses are found with the stream's clock first")
  func telephoneEvents() throws {
    let lines = [
      "v=0", "s=-", "c=IN IP4 10.0.0.2", "m=audio 5004 RTP/AVP 111 101 110", "a=rtpmap:111 opus/48000/2",
      "a=rtpmap:101 telephone-event/8000", "a=rtpmap:110 telephone-event/48000", "a=rtpmap:99 telephone-event/48000",
    ]
    #expect(try read(lines).audio.telephoneEvents == TelephoneEventFormat(payloadType: 110, clockRate: 48_000))
    let one = lines.map { $0.replacing(" 110", with: "") }
    #expect(try read(one).audio.telephoneEvents == TelephoneEventFormat(payloadType: 101, clockRate: 8_000))
    #expect(try read(Array(lines[..<5])).audio.telephoneEvents == nil)
    let red = one.map { $0.replacing(" 101", with: " 101 63") } + ["a=rtpmap:63 red/48000/2"]
    #expect(try read(red).audio.redundancyPayloadType == 63 && read(one).audio.redundancyPayloadType == nil)
  }

  @Test("descriptions that differ slightly from the RFC are read", .shows("rtp: descriptions"))
  func variants() throws {
    let lines = [
      "SDP:", "v=0 ", "o=a name 7 8 IN IP4 10.0.0.1", "s=one\u{2028}two\u{0B}\u{85}", "c=IN IP4 10.0.0.2", "",
      "m=audio 5004 RTP/AVP\t3 96 ", "a=rtpmap:96\topus/48000/2 ", "a=ptime:0", "a=maxptime:", "a=sendonly\t",
    ]
    let description = try read(lines)
    #expect(description.audio.payloadType == 96 && description.audio.direction == .sendOnly)
    #expect(description.audio.packetMilliseconds == nil && description.audio.maximumPacketMilliseconds == nil)
    #expect(description.origin == NetworkAddress("10.0.0.1") && description.sessionID == 7 && description.version == 8)
    // Who the writer is is no matter of who is heard.
    #expect(try read(["v=0", "o=- 1 1", "c=IN IP4 10.0.0.2"] + lines[6...7]).origin == NetworkAddress("10.0.0.2"))
    // 28 bytes leave two characters over, which the padding makes four.
    let unpadded = String(repeating: "A", count: 38)
    let crypto = try audio("a=crypto:1 AEAD_AES_128_GCM inline:\(unpadded) KDR=0").crypto
    #expect(try crypto.first?.makeKey().base64() == unpadded + "==")
    #expect(throws: SDPError.value(number: 8, of: "key")) {
      try audio("a=crypto:1 AEAD_AES_128_GCM inline:\(unpadded)=")
    }
  }

  @Test("tabs between words are read as spaces")
  func tabs() throws {
    let description = try audio(
      "a=crypto:1\tAEAD_AES_128_GCM \tinline:\(String(repeating: "A", count: 38))==", "a=extmap:1\turn:x\ty",
      "a=rtcp:9 IN\tIP4 10.0.0.3")
    #expect(description.crypto.count == 1 && description.headerExtensions.first?.uri == "urn:x")
    #expect(description.rtcpAddress == NetworkAddress("10.0.0.3"))
    let tabbed = try read([
      "v=0", "c=IN\tIP4 \t10.0.0.2", "m=audio 5004 RTP/AVP 96", "a=rtpmap:96 opus/48000/2",
    ])
    #expect(tabbed.address == NetworkAddress("10.0.0.2"))
    #expect(try SessionDescription(parsing: tabbed.text) == tabbed)
    // No word at all is none.
    #expect(throws: SDPError.value(number: 2, of: "address")) {
      try read(["v=0", "c=IN IP4 \t", "m=audio 5004 RTP/AVP 96", "a=rtpmap:96 opus/48000/2"])
    }
  }

  @Test("an unusable or switched-off stream does not hide a usable one", .shows("rtp: descriptions"))
  func passesOver() throws {
    let head = ["v=0", "s=-", "c=IN IP4 10.0.0.1"]
    let good = ["m=audio 5004 RTP/AVP 97", "a=rtpmap:97 opus/48000/2"]
    let bad = [
      ["m=audio 0 RTP/SAVP 96", "a=rtpmap:96 opus/48000/2"], ["m=audio 5006 RTP/SAVP 96", "a=rtpmap:96 opus/48000/2"],
      ["m=audio 5006 UDP/TLS/RTP/SAVPF 96", "a=rtpmap:96 opus/48000/2"],
      ["m=audio 5006 RTP/AVP 96", "a=rtpmap:96 opus/48000/2", "a=inactive"],
      ["m=audio 5006 RTP/AVP 96", "a=rtpmap:96 opus/16000/2"], ["m=audio 70000 RTP/AVP 96"],
    ]
    for bad in bad {
      #expect(try read(head + bad + good).audio.port == 5004, "\(bad)")
      #expect(try read(head + good + bad).audio.port == 5004, "\(bad)")
    }
    // Where none can be used the first says why.
    #expect(throws: SDPError.noUsableCrypto([])) { try read(head + bad[1] + bad[2]) }
    #expect(throws: SDPError.profile("UDP/TLS/RTP/SAVPF")) { try read(head + bad[2] + bad[3]) }
  }

  @Test("a description of half a megabyte takes no longer than its length", .shows("rtp: descriptions"))
  func large() throws {
    let types = 1_000..<20_000
    let lines = [
      "v=0", "c=IN IP4 10.0.0.1", "m=audio 5004 RTP/AVP \(types.map(String.init).joined(separator: " ")) 96",
    ]
    for encoding in ["x/1", "telephone-event/8000", "red/8000"] {
      let maps = types.map { "a=rtpmap:\($0) \(encoding)" } + ["a=rtpmap:96 opus/48000/2"]
      #expect(try read(lines + maps).audio.payloadType == 96)
    }
  }

  @Test("unusable keys are skipped if there is a usable one")
  func crypto() throws {
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"
    let good = "a=crypto:9 AES_CM_128_HMAC_SHA1_80 inline:\(key)|2^31 WSH=64"
    let unusable = [
      "a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:\(key)", "a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:\(key)|2^20|1:4",
      "a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:\(key)|1:4",
      "a=crypto:7 AES_CM_128_HMAC_SHA1_80 inline:\(key)\t|2^31",
      "a=crypto:4 AES_CM_128_HMAC_SHA1_80 inline:\(key) UNENCRYPTED_SRTP",
      "a=crypto:5 AES_CM_128_HMAC_SHA1_80 inline:\(key);inline:\(key)", "a=crypto:6 AES_CM_128_HMAC_SHA1_80 \(key)",
    ]
    for line in unusable {
      #expect(try audio(line, good).crypto.map(\.tag) == [9])
      #expect(throws: SDPError.self, "\(line)") { try audio(line) }
    }
    #expect(throws: SDPError.noUsableCrypto(["AES_256_CM_HMAC_SHA1_80"])) { try audio(unusable[0]) }
    let secure = ["v=0", "c=IN IP4 10.0.0.1", "m=audio 5004 RTP/SAVP 96", "a=rtpmap:96 opus/48000/2"]
    #expect(throws: SDPError.noUsableCrypto([])) { try read(secure) }
    // A key that is none is an error.
    #expect(throws: SDPError.value(number: 8, of: "key")) { try audio("a=crypto:1 AEAD_AES_128_GCM inline:\(key)") }
  }

  @Test("errors and printed descriptions do not show a key", .shows("rtp: descriptions"))
  func secrets() throws {
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"
    let description = try read(Self.ffmpeg)
    var dumped = ""
    dump(description, to: &dumped)
    #expect(!dumped.contains(key) && !"\(description)".contains(key) && !String(reflecting: description).contains(key))
    #expect(description.text.contains(key))
    for broken in [
      key, "a=crypto:1 AEAD_AES_128_GCM inline:\(key)", "crypto \(key)", "a=crypto:1 inline:\(key)",
      "a=crypto:1 \(key)", "a=crypto:AES_CM_128_HMAC_SHA1_80 inline:\(key)",
      "a=crypto:1 \(key.uppercased()) AES_CM_128_HMAC_SHA1_80",
    ] {
      do {
        _ = try audio(broken)
        Issue.record("\(broken) is refused")
      } catch { #expect(!"\(error)".uppercased().contains("AAEC")) }
    }
  }

  @Test("a line break in a part of a description does not begin a line")
  func injection() throws {
    var audio = AudioStreamDescription(port: 1)
    audio.headerExtensions = [HeaderExtensionMapping(identifier: 1, uri: "urn:x\r\na=inactive")]
    let description = SessionDescription(
      name: "x\nm=audio 1 RTP/AVP 0", address: NetworkAddress(host: "10.0.0.1\r\nb=AS:1", isIPv6: false), audio: audio)
    #expect(description.text.split(whereSeparator: \.isNewline).count == 9)
    #expect(try SessionDescription(parsing: description.text).audio.direction == .sendAndReceive)
  }

  @Test(
    "form feeds and Unicode line separators are removed from values",
    .shows("rtp: descriptions"))
  func formFeed() throws {
    let description = try read(Self.ffmpeg + ["a=extmap:1 urn:\u{0C}x\u{2028}y"])
    #expect(description.audio.headerExtensions.map(\.uri) == ["urn:xy"])
    #expect(try SessionDescription(parsing: description.text) == description)
  }

  @Test("descriptions with missing or cut lines are read or refused")
  func noise() {
    let base =
      Self.ffmpeg + Self.browser + [
        "a=ptime:20", "a=extmap:1 urn:x", "a=rtcp:1", "a=rtcp-fb:96 nack", "m=", "a=", "c=", "o=",
      ]
    var random = SeededGenerator(seed: 2)
    var readable = 0
    for _ in 0..<5_000 {
      var lines = ["v=0"] + base.indices.compactMap { Int.random(in: 0..<8, using: &random) == 0 ? nil : base[$0] }
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        let index = lines.indices.randomElement(using: &random)!
        lines[index] = String(lines[index].prefix(Int.random(in: 0...lines[index].count, using: &random)))
      }
      if (try? read(lines)) != nil { readable += 1 }
    }
    #expect(readable > 25)
  }
}
