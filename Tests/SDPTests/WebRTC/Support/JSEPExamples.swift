import SDP
import Testing

/// Descriptions of RFC 8829, section 7. The RFC folds long lines; here they are whole.
enum JSEPExamples {
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let sessionID: UInt64
    let version: UInt64
    let direction: MediaDirection
    let port: UInt16
    let usernameFragment: String
    let setup: SetupRole
    let candidateCount: Int
    let stream: String
    let bundles: [String]
    let kinds: [String]
    var testDescription: String { name }
  }

  static let all = [offerA1, answerA1, offerB1, answerB1, offerB2, answerB2, offerC1, answerC1, offerC2, answerC2]

  // Section 7.1.
  static let offerA1 = Example(
    name: "offer-A1",
    text: text(
      head(4_962_303_333_179_871_722, 1, "a1 v1", synchronized: true)
        + audio(
          10_100, "203.0.113.100", "47017fee-b6c1-4162-929c-a25110252400",
          transport("ETEn", "OtSK0WpNtpUjkY4+86js7ZQl", alice("19"), "actpass", "91bbf309c0990a6bec11e38ba2933cee")
            + ["a=rtcp:10101 IN IP4 203.0.113.100"] + mux
            + [
              "a=candidate:1 1 udp 2113929471 203.0.113.100 10100 typ host",
              "a=candidate:1 2 udp 2113929470 203.0.113.100 10101 typ host", "a=end-of-candidates",
            ])
        + video(
          10_102, "203.0.113.100", "v1",
          ["a=msid:47017fee-b6c1-4162-929c-a25110252400"]
            + transport("BGKk", "mqyWsAjvtKwTGnvhPztQ9mIf", alice("19"), "actpass", "91bbf309c0990a6bec11e38ba2933cee")
            + ["a=rtcp:10103 IN IP4 203.0.113.100"] + mux
            + [
              "a=candidate:1 1 udp 2113929471 203.0.113.100 10102 typ host",
              "a=candidate:1 2 udp 2113929470 203.0.113.100 10103 typ host", "a=end-of-candidates",
            ])),
    sessionID: 4_962_303_333_179_871_722, version: 1, direction: .sendAndReceive, port: 10_100,
    usernameFragment: "ETEn", setup: .activeOrPassive, candidateCount: 2,
    stream: "47017fee-b6c1-4162-929c-a25110252400", bundles: ["a1", "v1"], kinds: ["audio", "video"])
  static let answerA1 = Example(
    name: "answer-A1",
    text: text(
      head(6_729_291_447_651_054_566, 1, "a1 v1", synchronized: true)
        + audio(
          10_200, "203.0.113.200", "61317484-2ed4-49d7-9eb7-1414322a7aae",
          transport("6sFv", "cOTZKZNVlO9RSGsEGM63JXT2", bob("6B"), "active", "eec3392ab83e11ceb6a0990c903fbb19") + mux
            + ["a=candidate:1 1 udp 2113929471 203.0.113.200 10200 typ host", "a=end-of-candidates"])
        + video(10_200, "203.0.113.200", "v1", ["a=msid:61317484-2ed4-49d7-9eb7-1414322a7aae"])),
    sessionID: 6_729_291_447_651_054_566, version: 1, direction: .sendAndReceive, port: 10_200,
    usernameFragment: "6sFv", setup: .active, candidateCount: 1, stream: "61317484-2ed4-49d7-9eb7-1414322a7aae",
    bundles: ["a1", "v1"], kinds: ["audio", "video"])

  // Section 7.2.
  static let offerB1 = Example(
    name: "offer-B1",
    text: text(
      head(4_962_303_333_179_871_723, 1, "a1 d1")
        + audio(
          9, "0.0.0.0", "57017fee-b6c1-4162-929c-a25110252400",
          transport("ATEn", "AtSK0WpNtpUjkY4+86js7ZQl", alice("29"), "actpass", "17f0f4ba8a5f1213faca591b58ba52a7")
            + muxOnly) + data(0, "0.0.0.0") + ["a=bundle-only"]),
    sessionID: 4_962_303_333_179_871_723, version: 1, direction: .sendAndReceive, port: 9, usernameFragment: "ATEn",
    setup: .activeOrPassive, candidateCount: 0, stream: "57017fee-b6c1-4162-929c-a25110252400", bundles: ["a1", "d1"],
    kinds: ["audio", "application"])
  static let answerB1 = Example(
    name: "answer-B1",
    text: text(
      head(7_729_291_447_651_054_566, 1, "a1 d1")
        + audio(
          9, "0.0.0.0", "71317484-2ed4-49d7-9eb7-1414322a7aae",
          transport("7sFv", "dOTZKZNVlO9RSGsEGM63JXT2", bob("7B"), "active", "7a25ab85b195acaf3121f5a8ab4f0f71")
            + muxOnly) + data(9, "0.0.0.0")),
    sessionID: 7_729_291_447_651_054_566, version: 1, direction: .sendAndReceive, port: 9, usernameFragment: "7sFv",
    setup: .active, candidateCount: 0, stream: "71317484-2ed4-49d7-9eb7-1414322a7aae", bundles: ["a1", "d1"],
    kinds: ["audio", "application"])
  static let offerB2 = Example(
    name: "offer-B2",
    text: text(
      head(7_729_291_447_651_054_566, 2, "a1 d1 v1 v2", synchronized: true)
        + audio(
          12_200, "192.0.2.200", "71317484-2ed4-49d7-9eb7-1414322a7aae",
          transport("7sFv", "dOTZKZNVlO9RSGsEGM63JXT2", bob("7B"), "actpass", "7a25ab85b195acaf3121f5a8ab4f0f71")
            + muxOnly + candidates("203.0.113.200", "198.51.100.200", "192.0.2.200", 200)) + data(12_200, "192.0.2.200")
        + video(
          12_200, "192.0.2.200", "v1",
          [
            "a=msid:71317484-2ed4-49d7-9eb7-1414322a7aae", "a=rid:1 send", "a=rid:2 send", "a=rid:3 send",
            "a=simulcast:send 1;2;3",
          ])
        + video(12_200, "192.0.2.200", "v2", ["a=msid:81317484-2ed4-49d7-9eb7-1414322a7aae"])),
    sessionID: 7_729_291_447_651_054_566, version: 2, direction: .sendAndReceive, port: 12_200,
    usernameFragment: "7sFv", setup: .activeOrPassive, candidateCount: 3,
    stream: "71317484-2ed4-49d7-9eb7-1414322a7aae", bundles: ["a1", "d1", "v1", "v2"],
    kinds: ["audio", "application", "video", "video"])
  static let answerB2 = Example(
    name: "answer-B2",
    text: text(
      head(4_962_303_333_179_871_723, 2, "a1 d1 v1 v2", synchronized: true)
        + audio(
          12_100, "192.0.2.100", "57017fee-b6c1-4162-929c-a25110252400",
          transport("ATEn", "AtSK0WpNtpUjkY4+86js7ZQl", alice("29"), "passive", "17f0f4ba8a5f1213faca591b58ba52a7")
            + muxOnly + candidates("203.0.113.100", "198.51.100.100", "192.0.2.100", 100)) + data(12_100, "192.0.2.100")
        + video(
          12_100, "192.0.2.100", "v1", ["a=imageattr:100 recv [x=[48:1920],y=[48:1080],q=1.0]"], direction: "recvonly")
        + video(
          12_100, "192.0.2.100", "v2", ["a=imageattr:100 recv [x=[48:1920],y=[48:1080],q=1.0]"], direction: "recvonly")),
    sessionID: 4_962_303_333_179_871_723, version: 2, direction: .sendAndReceive, port: 12_100,
    usernameFragment: "ATEn", setup: .passive, candidateCount: 3, stream: "57017fee-b6c1-4162-929c-a25110252400",
    bundles: ["a1", "d1", "v1", "v2"], kinds: ["audio", "application", "video", "video"])

  // Section 7.3.
  static let offerC1 = Example(
    name: "offer-C1",
    text: text(
      head(1_070_771_854_436_052_752, 1, "a1 v1", synchronized: true)
        + audio(9, "0.0.0.0", "bbce3ba6-abfc-ac63-d00a-e15b286f8fce", early("actpass"))
        + video(0, "0.0.0.0", "v1", ["a=msid:bbce3ba6-abfc-ac63-d00a-e15b286f8fce", "a=bundle-only"])),
    sessionID: 1_070_771_854_436_052_752, version: 1, direction: .sendAndReceive, port: 9, usernameFragment: "4ZcD",
    setup: .activeOrPassive, candidateCount: 0, stream: "bbce3ba6-abfc-ac63-d00a-e15b286f8fce", bundles: ["a1", "v1"],
    kinds: ["audio", "video"])
  static let answerC1 = Example(
    name: "answer-C1",
    text: text(
      head(6_386_516_489_780_559_513, 1, "a1 v1", synchronized: true)
        + audio(
          9, "0.0.0.0", "751f239e-4ae0-c549-aa3d-890de772998b", warm("active"), direction: "sendonly")
        + video(9, "0.0.0.0", "v1", ["a=msid:751f239e-4ae0-c549-aa3d-890de772998b"], direction: "sendonly")),
    sessionID: 6_386_516_489_780_559_513, version: 1, direction: .sendOnly, port: 9, usernameFragment: "TpaA",
    setup: .active, candidateCount: 0, stream: "751f239e-4ae0-c549-aa3d-890de772998b", bundles: ["a1", "v1"],
    kinds: ["audio", "video"])
  static let offerC2 = Example(
    name: "offer-C2",
    text: text(
      head(6_386_516_489_780_559_513, 2, "a1 v1", synchronized: true)
        + audio(
          12_200, "192.0.2.200", "751f239e-4ae0-c549-aa3d-890de772998b", warm("actpass") + relay("192.0.2.200", 12_200))
        + video(12_200, "192.0.2.200", "v1", ["a=msid:751f239e-4ae0-c549-aa3d-890de772998b"])),
    sessionID: 6_386_516_489_780_559_513, version: 2, direction: .sendAndReceive, port: 12_200,
    usernameFragment: "TpaA", setup: .activeOrPassive, candidateCount: 1,
    stream: "751f239e-4ae0-c549-aa3d-890de772998b", bundles: ["a1", "v1"], kinds: ["audio", "video"])
  static let answerC2 = Example(
    name: "answer-C2",
    text: text(
      head(1_070_771_854_436_052_752, 2, "a1 v1", synchronized: true)
        + audio(
          12_100, "192.0.2.100", "bbce3ba6-abfc-ac63-d00a-e15b286f8fce",
          early("passive") + relay("192.0.2.100", 12_100))
        + video(12_100, "192.0.2.100", "v1", ["a=msid:bbce3ba6-abfc-ac63-d00a-e15b286f8fce"])),
    sessionID: 1_070_771_854_436_052_752, version: 2, direction: .sendAndReceive, port: 12_100,
    usernameFragment: "4ZcD", setup: .passive, candidateCount: 1, stream: "bbce3ba6-abfc-ac63-d00a-e15b286f8fce",
    bundles: ["a1", "v1"], kinds: ["audio", "video"])

  private static let mux = ["a=rtcp-mux", "a=rtcp-rsize"]
  private static let muxOnly = ["a=rtcp-mux", "a=rtcp-mux-only", "a=rtcp-rsize"]

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\r\n" }.joined() }

  private static func head(_ session: UInt64, _ version: Int, _ mids: String, synchronized: Bool = false) -> [String] {
    [
      "v=0", "o=- \(session) \(version) IN IP4 0.0.0.0", "s=-", "t=0 0", "a=ice-options:trickle ice2",
      "a=group:BUNDLE \(mids)",
    ] + (synchronized ? ["a=group:LS a1 v1"] : [])
  }

  private static func audio(
    _ port: Int, _ address: String, _ stream: String, _ transport: [String], direction: String = "sendrecv"
  ) -> [String] {
    [
      "m=audio \(port) UDP/TLS/RTP/SAVPF 96 0 8 97 98", "c=IN IP4 \(address)", "a=mid:a1", "a=\(direction)",
      "a=rtpmap:96 opus/48000/2", "a=rtpmap:0 PCMU/8000", "a=rtpmap:8 PCMA/8000", "a=rtpmap:97 telephone-event/8000",
      "a=rtpmap:98 telephone-event/48000", "a=fmtp:97 0-15", "a=fmtp:98 0-15", "a=maxptime:120",
      "a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid", "a=extmap:2 urn:ietf:params:rtp-hdrext:ssrc-audio-level",
      "a=msid:\(stream)",
    ] + transport
  }

  private static func video(
    _ port: Int, _ address: String, _ mid: String, _ rest: [String], direction: String = "sendrecv"
  ) -> [String] {
    [
      "m=video \(port) UDP/TLS/RTP/SAVPF 100 101 102 103", "c=IN IP4 \(address)", "a=mid:\(mid)", "a=\(direction)",
      "a=rtpmap:100 VP8/90000", "a=rtpmap:101 H264/90000",
      "a=fmtp:101 packetization-mode=1;profile-level-id=42e01f", "a=rtpmap:102 rtx/90000", "a=fmtp:102 apt=100",
      "a=rtpmap:103 rtx/90000", "a=fmtp:103 apt=101", "a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid",
      "a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id", "a=rtcp-fb:100 ccm fir", "a=rtcp-fb:100 nack",
      "a=rtcp-fb:100 nack pli",
    ] + rest
  }

  private static func data(_ port: Int, _ address: String) -> [String] {
    [
      "m=application \(port) UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 \(address)", "a=mid:d1", "a=sctp-port:5000",
      "a=max-message-size:65536",
    ]
  }

  private static func transport(
    _ user: String, _ password: String, _ digest: String, _ setup: String, _ identifier: String
  ) -> [String] {
    [
      "a=ice-ufrag:\(user)", "a=ice-pwd:\(password)", "a=fingerprint:sha-256 \(digest)", "a=setup:\(setup)",
      "a=tls-id:\(identifier)",
    ]
  }

  private static func alice(_ first: String) -> String {
    "\(first):E2:1C:3B:4B:9F:81:E6:B8:5C:F4:A5:A8:D8:73:04:BB:05:2F:70:9F:04:A9:0E:05:E9:26:33:E8:70:88:A2"
  }

  private static func bob(_ first: String) -> String {
    "\(first):8B:F0:65:5F:78:E2:51:3B:AC:6F:F3:3F:46:1B:35:DC:B8:5F:64:1A:24:C2:43:F0:A1:58:D0:A1:2C:19:08"
  }

  private static func early(_ setup: String) -> [String] {
    transport(
      "4ZcD", "ZaaG6OG7tCn4J/lehAGz+HHD",
      "C4:68:F8:77:6A:44:F1:98:6D:7C:9F:47:EB:E3:34:A4:0A:AA:2D:49:08:28:70:2E:1F:AE:18:7D:4E:3E:66:BF", setup,
      "9e5b948ade9c3d41de6617b68f769e55") + muxOnly
  }

  private static func warm(_ setup: String) -> [String] {
    transport(
      "TpaA", "t2Ouhc67y8JcCaYZxUUTgKw/",
      "A2:F3:A5:6D:4C:8C:1E:B2:62:10:4A:F6:70:61:C4:FC:3C:E0:01:D6:F3:24:80:74:DA:7C:3E:50:18:7B:CE:4D", setup,
      "55e967f86b7166ed14d3c9eda849b5e9") + muxOnly
  }

  private static func relay(_ address: String, _ port: Int) -> [String] {
    ["a=candidate:1 1 udp 255 \(address) \(port) typ relay raddr 0.0.0.0 rport 0", "a=end-of-candidates"]
  }

  private static func candidates(_ host: String, _ reflexive: String, _ relay: String, _ last: Int) -> [String] {
    [
      "a=candidate:1 1 udp 2113929471 \(host) \(10_000 + last) typ host",
      "a=candidate:1 1 udp 1845494015 \(reflexive) \(11_000 + last) typ srflx raddr \(host) rport \(10_000 + last)",
      "a=candidate:1 1 udp 255 \(relay) \(12_000 + last) typ relay raddr \(reflexive) rport \(11_000 + last)",
      "a=end-of-candidates",
    ]
  }
}
