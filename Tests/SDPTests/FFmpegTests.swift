import COpus
import Foundation
import RTP
import RTPTestSupport
import SDP
import SRTP
import TestSupport
import Testing

/// Streams to and from ffmpeg on this machine, plain and encrypted, described by SDP files.
@Suite(.enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"), .timeLimit(.minutes(10)))
struct FFmpegTests {
  private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"

  @Test("we read ffmpeg's description and receive its stream", arguments: [false, true])
  func theirs(isEncrypted: Bool) throws {
    let (rtp, rtcp) = UDPSocket.pair()
    let text = try withTemporaryFolder { folder in
      let encryption = isEncrypted ? "-srtp_out_suite AES_CM_128_HMAC_SHA1_80 -srtp_out_params \(Self.key)" : ""
      let run = try shell(
        "ffmpeg -nostdin -v error -f lavfi -i sine=1000 -t 1 -ar 48000 -ac 1 -c:a libopus -f rtp \(encryption) "
          + "-sdp_file x.sdp \(isEncrypted ? "srtp" : "rtp")://127.0.0.1:\(rtp.port)", in: folder)
      #expect(run.code == 0, "\(run.errors)")
      return try String(contentsOf: folder.appendingPathComponent("x.sdp"), encoding: .utf8)
    }
    let description = try SessionDescription(parsing: text)
    #expect(description.audio.port == rtp.port && description.audio.isProtected == isEncrypted)
    var packets = rtp.received()
    var reports = rtcp.received()
    if isEncrypted {
      var session = SRTPSession(try #require(description.audio.crypto.first).makeKey(), .inbound)
      packets = try packets.map { try unprotect($0, with: &session) }
      reports = try reports.map { try unprotectRTCP($0, with: &session) }
    }
    // One second, and what the encoder delays.
    #expect((50...53).contains(packets.count) && !reports.isEmpty)
    let ssrc = try check(packets, description.audio)
    for report in reports {
      try report.withUnsafeBytes { bytes in
        #expect(DatagramKind(bytes) == .rtcp)
        var reader = try RTCPReader(bytes, form: .compound)
        let first = reader.next()
        let report = try #require(first).senderReport()
        #expect(report.ssrc == ssrc)
      }
    }
  }

  /// Numbers and timestamps count on by what payloads say of themselves. Returns: the source.
  private func check(_ packets: [[UInt8]], _ audio: AudioStreamDescription) throws -> UInt32 {
    var statistics = ReceptionStatistics()
    var numbers = SequenceUnwrapper()
    var ssrc: UInt32?
    var expectedTimestamp: UInt32?
    for (index, packet) in packets.enumerated() {
      try packet.withUnsafeBytes { bytes in
        #expect(DatagramKind(bytes) == .rtp)
        let view = try RTPPacketView(parsing: bytes)
        #expect(view.header.payloadType == audio.payloadType)
        #expect(ssrc == nil || ssrc == view.header.ssrc)
        ssrc = view.header.ssrc
        let payload = try OpusPayload(parsing: UnsafeRawBufferPointer(rebasing: bytes[view.payloadRange]))
        #expect(expectedTimestamp == nil || expectedTimestamp == view.header.timestamp)
        expectedTimestamp = view.header.timestamp &+ UInt32(payload.samplesPerChannel)
        statistics.receive(
          sequence: numbers.unwrap(view.header.sequenceNumber), timestamp: view.header.timestamp,
          arrivalNanoseconds: index * 20_000_000)
      }
    }
    #expect(statistics.lostCount == 0 && statistics.receivedCount == packets.count)
    return try #require(ssrc)
  }

  /// A tone of 1000 Hz in packets of 20 ms.
  private func tone(payloadType: UInt8) throws -> [[UInt8]] {
    var code: Int32 = 0
    let encoder = try #require(opus_encoder_create(48_000, 1, OPUS_APPLICATION_AUDIO, &code))
    defer { opus_encoder_destroy(encoder) }
    return try (0..<500).map { index in
      let samples = (0..<960).map { 0.5 * sin(2 * Float.pi * 1000 * Float(index * 960 + $0) / 48_000) }
      var packet = [UInt8](repeating: 0, count: 1500)
      let header = RTPHeader(
        marker: index == 0, payloadType: payloadType, sequenceNumber: UInt16(1000 + index),
        timestamp: UInt32(index * 960), ssrc: 0x1234_5678)
      let count = try packet.withUnsafeMutableBytes { memory in
        let offset = try header.write(to: memory)
        let payload = memory.baseAddress!.assumingMemoryBound(to: UInt8.self) + offset
        return offset + Int(opus_encode_float(encoder, samples, 960, payload, Int32(memory.count - offset)))
      }
      return Array(packet[..<count])
    }
  }

  @Test("ffmpeg opens our description and hears our stream", arguments: [false, true])
  func ours(isEncrypted: Bool) throws {
    // A port that was free a moment ago; ffmpeg takes it and the one above.
    let port = UDPSocket.pair().rtp.port
    var audio = AudioStreamDescription(port: port, profile: isEncrypted ? .secure : .plain)
    var packets = try tone(payloadType: audio.payloadType)
    if isEncrypted {
      let key = try SRTPKey(.aesCM128HMACSHA1_80, text: Array(Self.key.utf8).span.bytes)
      audio.crypto = [CryptoAttribute(key)]
      var session = SRTPSession(key, .outbound)
      packets = try packets.map { try protect($0, with: &session) }
    }
    let text = SessionDescription(address: NetworkAddress("127.0.0.1"), audio: audio).text
    let samples = try withTemporaryFolder { folder in
      try Data(text.utf8).write(to: folder.appendingPathComponent("x.sdp"))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
      process.currentDirectoryURL = folder
      process.arguments = [
        "-nostdin", "-v", "error", "-protocol_whitelist", "file,udp,rtp,srtp,crypto", "-analyzeduration", "100000",
        "-i",
        "x.sdp", "-t", "0.5", "-ac", "1", "-ar", "48000", "-f", "s16le", "out.raw",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      let socket = try #require(UDPSocket())
      // At twice the pace, until ffmpeg has heard enough; it is there when it is there.
      for packet in packets where process.isRunning {
        socket.send(packet, to: port)
        poll(nil, 0, 10)
      }
      process.terminate()
      process.waitForEnd()
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("out.raw")))
      return stride(from: 0, to: bytes.count - 1, by: 2).map {
        Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
      }
    }
    // 0.3 s out of the middle: 1000 Hz cross zero upwards 300 times, at half of full scale.
    try #require(samples.count >= 24_000)
    let middle = samples[4800..<19_200]
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 300) <= 2)
    #expect(abs(Int(middle.max()!) - 16_384) < 1500)
  }
}
