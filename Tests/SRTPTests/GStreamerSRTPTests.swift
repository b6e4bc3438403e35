import Foundation
import RTP
import RTPTestSupport
import SRTP
import TestSupport
import Testing

/// Packets through files to and from GStreamer's srtpenc and srtpdec, each with its length before it (RFC 4571).
@Suite(.enabled(if: isInstalled("gst-launch-1.0"), "GStreamer is not installed"), .timeLimit(.minutes(10)))
struct GStreamerSRTPTests {
  private static func cipher(_ suite: SRTPSuite) -> (cipher: String, authentication: String) {
    switch suite {
    case .aeadAES128GCM: ("aes-128-gcm", "null")
    case .aeadAES256GCM: ("aes-256-gcm", "null")
    case .aesCM128HMACSHA1_80: ("aes-128-icm", "hmac-sha1-80")
    case .aesCM128HMACSHA1_32: ("aes-128-icm", "hmac-sha1-32")
    }
  }

  /// A key, and its hexadecimal digits.
  private static func key(_ suite: SRTPSuite) throws -> (bytes: [UInt8], text: String) {
    var random = SeededGenerator(seed: 21)
    let bytes = (0..<(suite.keyByteCount + suite.saltByteCount)).map { _ in UInt8.random(in: 0...255, using: &random) }
    return (bytes, bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
  }

  /// 200 packets over a wrap of the sequence numbers.
  private static func packets() throws -> [[UInt8]] {
    try (0..<200).map { index in
      var packet = [UInt8](repeating: UInt8(truncatingIfNeeded: 7 * index), count: 12 + 20 + index % 50)
      let header = RTPHeader(
        marker: index == 0, payloadType: 96, sequenceNumber: UInt16(truncatingIfNeeded: 65_450 + index),
        timestamp: UInt32(index * 960), ssrc: 7)
      try packet.withUnsafeMutableBytes { _ = try header.write(to: $0) }
      return packet
    }
  }

  private func write(_ packets: [[UInt8]], to file: URL) throws {
    let framed = packets.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
    try Data(framed).write(to: file)
  }

  private func read(_ file: URL) throws -> [[UInt8]] {
    var bytes = [UInt8](try Data(contentsOf: file))[...]
    var packets: [[UInt8]] = []
    while bytes.count >= 2 {
      let count = Int(bytes.removeFirst()) << 8 | Int(bytes.removeFirst())
      packets.append(Array(bytes.prefix(count)))
      bytes = bytes.dropFirst(count)
    }
    return packets
  }

  @Test("GStreamer opens our protected packets", arguments: SRTPSuite.allCases)
  func ours(suite: SRTPSuite) throws {
    let (bytes, text) = try Self.key(suite)
    let plain = try Self.packets()
    var session = SRTPSession(try SRTPKey(suite, bytes: bytes.span.bytes), .outbound)
    let protected = try plain.map { try protect($0, with: &session) }
    let (cipher, authentication) = Self.cipher(suite)
    let caps =
      "application/x-srtp-stream,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96,ssrc=(uint)7,"
      + "roc=(uint)0,srtp-key=(buffer)\(text),srtp-cipher=(string)\(cipher),srtp-auth=(string)\(authentication),"
      + "srtcp-cipher=(string)\(cipher),srtcp-auth=(string)\(authentication)"
    try withTemporaryFolder { folder in
      try write(protected, to: folder.appendingPathComponent("in"))
      let run = try shell(
        "gst-launch-1.0 -q filesrc location=in ! '\(caps)' ! rtpstreamdepay ! srtpdec ! rtpstreampay "
          + "! filesink location=out", in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let opened = try read(folder.appendingPathComponent("out"))
      #expect(opened == plain)
    }
  }

  @Test("we open GStreamer's packets and protect them to the same bytes", arguments: SRTPSuite.allCases)
  func theirs(suite: SRTPSuite) throws {
    let (bytes, text) = try Self.key(suite)
    let plain = try Self.packets()
    let (cipher, authentication) = Self.cipher(suite)
    let protected = try withTemporaryFolder { folder in
      try write(plain, to: folder.appendingPathComponent("in"))
      let run = try shell(
        "gst-launch-1.0 -q filesrc location=in "
          + "! application/x-rtp-stream,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96 ! rtpstreamdepay "
          + "! srtpenc key=\(text) rtp-cipher=\(cipher) rtp-auth=\(authentication) rtcp-cipher=\(cipher) "
          + "rtcp-auth=\(authentication) ! rtpstreampay ! filesink location=out", in: folder)
      #expect(run.code == 0, "\(run.errors)")
      return try read(folder.appendingPathComponent("out"))
    }
    let key = try SRTPKey(suite, bytes: bytes.span.bytes)
    var inbound = SRTPSession(key, .inbound)
    var outbound = SRTPSession(key, .outbound)
    #expect(protected.count == plain.count)
    for (theirs, packet) in zip(protected, plain) {
      #expect(try unprotect(theirs, with: &inbound) == packet)
      #expect(try protect(packet, with: &outbound) == theirs)
    }
  }
}
