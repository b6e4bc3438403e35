import Signalling
import WebRTC

/// Offer as aiortc 1.16.0 writes it, with other names, addresses and keys.
struct AiortcOffer {
  static let payloadType: UInt8 = 96
  static let midIdentifier: UInt8 = 1
  static let levelIdentifier: UInt8 = 2

  /// Kinds and directions of the sections, such as `audio sendrecv`; their mids count from 0.
  var sections = ["audio sendrecv"]
  /// SSRC of the first section; nil for an offer without `a=ssrc`.
  var ssrc: UInt32? = 3_930_715_382
  var setup = "actpass"

  func text(_ credentials: ICECredentials) -> String {
    var lines = [
      "v=0", "o=- 4004662469 4004662469 IN IP4 0.0.0.0", "s=-", "t=0 0",
      "a=group:BUNDLE \(sections.indices.map(String.init).joined(separator: " "))", "a=msid-semantic:WMS *",
    ]
    for (index, section) in sections.enumerated() {
      let words = section.split(separator: " ")
      let isAudio = words[0] == "audio"
      lines += [
        "m=\(words[0]) 50416 UDP/TLS/RTP/SAVPF \(isAudio ? "96 9 0 8" : "97")", "c=IN IP4 198.51.100.9",
        "a=\(words[1])", "a=extmap:\(Self.midIdentifier) urn:ietf:params:rtp-hdrext:sdes:mid",
        "a=extmap:\(Self.levelIdentifier) urn:ietf:params:rtp-hdrext:ssrc-audio-level", "a=mid:\(index)",
        "a=msid:fb87eaba d3d9\(index)", "a=rtcp:9 IN IP4 0.0.0.0", "a=rtcp-mux",
      ]
      if let ssrc { lines.append("a=ssrc:\(ssrc &+ UInt32(index)) cname:5e6bf519") }
      lines +=
        isAudio
        ? ["a=rtpmap:96 opus/48000/2", "a=rtpmap:9 G722/8000", "a=rtpmap:0 PCMU/8000", "a=rtpmap:8 PCMA/8000"]
        : ["a=rtpmap:97 VP8/90000"]
      lines += [
        "a=candidate:f957a2332b1715da3b0ef8ba684454eb 1 udp 2130706431 198.51.100.9 50416 typ host",
        "a=end-of-candidates", "a=ice-ufrag:\(credentials.fragment)", "a=ice-pwd:\(credentials.password)",
        "a=fingerprint:\(SimulatedRelay.certificates.client.fingerprint)", "a=setup:\(setup)",
      ]
    }
    return lines.map { $0 + "\r\n" }.joined()
  }
}
