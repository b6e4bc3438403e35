import COpus
import Foundation
import TestSupport
import Testing

@testable import EncodedAudio

@Suite("Ogg Opus files of packets as they are", .timeLimit(.minutes(10)))
struct OggOpusWriterTests {
  private func file(_ packets: [(payload: [UInt8], position: Int)]) -> [UInt8] {
    var writer = OggOpusWriter(serial: 7, comments: ["TITLE=a call"])
    for packet in packets { writer.append(packet.payload, at: packet.position) }
    writer.finish()
    return writer.takePages()
  }

  /// Samples of a file by another program, at 48 kHz; nil if it fails.
  private func count(_ line: String, of file: [UInt8]) throws -> Int? {
    try withTemporaryFolder { folder in
      try Data(file).write(to: folder.appendingPathComponent("in.opus"))
      let ending = try shell(line, in: folder)
      guard ending.code == 0 else {
        Issue.record("\(line): \(ending.errors)")
        return nil
      }
      let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/out.raw")[.size] as? Int
      return (size ?? 0) / 2
    }
  }

  private static let ffmpeg = "ffmpeg -v error -c:a opus -i in.opus -f s16le -ac 1 -ar 48000 out.raw"
  private static let libopus = "ffmpeg -v error -c:a libopus -i in.opus -f s16le -ac 1 -ar 48000 out.raw"

  @Test("the tone of 3 s has its length and amplitude for three decoders", .shows("C22"))
  func tone() throws {
    let packets = OpusPackets.tone(seconds: 3).enumerated().map { ($1, $0 * 960) }
    let file = file(packets)
    let decoded = try #require(OpusPackets.decode(file))
    let expected = 150 * 960 - OggOpusWriter.preSkip
    #expect(decoded.total == expected && decoded.samples.count == expected && decoded.channelCount == 1)
    // The position of a sample is that of the encoder's input.
    let middle = Array(decoded.samples[48_000..<96_000])
    #expect(abs(toneAmplitude(of: 1_000, in: middle, sampleRate: 48_000) - 0.5) < 0.01)
    let wanted = Signals.sine(count: 48_000, cyclesPerSample: 1_000.0 / 48_000, amplitude: 0.5)
    #expect(zip(middle, wanted).allSatisfy { abs($0 - $1) < 0.05 })
    #expect(try count(Self.ffmpeg, of: file) == expected)
    #expect(try count(Self.libopus, of: file) == expected)
  }

  @Test(
    "a gap of any length keeps its length, whatever the packet before it", .shows("C22"),
    arguments: [OPUS_APPLICATION_AUDIO, OPUS_APPLICATION_VOIP], [120, 360, 480, 960, 1_560, 5_760, 6_840, 480_000])
  func gaps(application: Int32, gap: Int) throws {
    for channelCount in [1, 2] {
      let tone = OpusPackets.tone(seconds: 0.5, channelCount: channelCount, application: application)
      let packets = tone.enumerated().map { index, payload in
        (payload, index * 960 + (index < 10 ? 0 : gap))
      }
      let file = file(packets)
      let expected = 25 * 960 + gap - OggOpusWriter.preSkip
      let decoded = try #require(OpusPackets.decode(file))
      #expect(decoded.total == expected && decoded.samples.count == expected * channelCount)
      #expect(try count(Self.ffmpeg, of: file) == expected)
      #expect(try count(Self.libopus, of: file) == expected)
      guard gap >= 48_000 else { continue }
      // Behind 120 ms of concealment the gap is silent, and the tone comes back at its place.
      let left = stride(from: 0, to: decoded.samples.count, by: channelCount).map { decoded.samples[$0] }
      let faded = left[(10 * 960 + 9_600)..<(10 * 960 + gap - 960)]
      let power = faded.reduce(0) { $0 + Double($1 * $1) } / Double(faded.count)
      #expect(power.squareRoot() < 0.0001, "the gap has \(power.squareRoot())")
      let back = Array(left[(12 * 960 + gap)..<(20 * 960 + gap)])
      #expect(toneAmplitude(of: 1_000, in: back, sampleRate: 48_000) > 0.35)
    }
  }

  @Test("a stream that begins with a gap has its length")
  func beginning() throws {
    let tone = OpusPackets.tone(seconds: 1)
    let file = file(tone.enumerated().map { ($1, 96_000 + $0 * 960) })
    let decoded = try #require(OpusPackets.decode(file))
    #expect(decoded.total == 96_000 + 48_000 - OggOpusWriter.preSkip)
    #expect(decoded.samples[..<95_000].allSatisfy { $0 == 0 })
    #expect(toneAmplitude(of: 1_000, in: decoded.samples[100_800..<134_400], sampleRate: 48_000) > 0.45)
    #expect(try count(Self.ffmpeg, of: file) == decoded.total)
  }

  @Test("libopus takes every packet of a gap, for every first byte")
  func everyConfiguration() {
    for first in UInt8.min...UInt8.max {
      let gap = OpusGap(after: [first, 1])
      for length in stride(from: 120, through: 6_000, by: 120) {
        var rest = length
        while rest > 0 {
          let (bytes, count) = gap.nextPacket(of: rest)
          #expect(opus_packet_get_nb_samples(bytes, Int32(bytes.count), 48_000) == Int32(count))
          #expect(opus_packet_get_nb_channels(bytes) == (first & 4 == 0 ? 1 : 2))
          rest -= count
        }
        #expect(rest == 0)
      }
    }
  }

  @Test("positions between multiples of 2.5 ms do not add up errors")
  func oddPositions() {
    var writer = OggOpusWriter(serial: 1)
    let packet = OpusPackets.random(count: 1, seed: 1)[0]
    for index in 0..<1_000 { writer.append(packet, at: index * 1_001) }
    #expect((0..<120).contains(999 * 1_001 + 960 - writer.sampleCount))
  }

  @Test("the packets in the file are the packets that were added, byte by byte", .shows("C22"))
  func bytes() throws {
    let packets = OpusPackets.random(count: 400, seed: 3)
    let file = file(packets.enumerated().map { ($1, $0 * 960) })
    let dumped = try withTemporaryFolder { folder -> [UInt8] in
      try Data(file).write(to: folder.appendingPathComponent("in.opus"))
      // Copied without decoding, packet behind packet.
      let ending = try shell("ffmpeg -v error -i in.opus -map 0:a -c copy -f data out.raw", in: folder)
      #expect(ending.code == 0, "\(ending.errors)")
      return [UInt8](try Data(contentsOf: folder.appendingPathComponent("out.raw")))
    }
    let areEqual = dumped == packets.flatMap(\.self)
    #expect(areEqual)
  }

  @Test("the pages before the end are a valid file without the last second")
  func killed() throws {
    var writer = OggOpusWriter(serial: 1)
    for (index, packet) in OpusPackets.tone(seconds: 10.5).enumerated() { writer.append(packet, at: index * 960) }
    let decoded = try #require(OpusPackets.decode(writer.takePages()))
    #expect((9 * 48_000...10 * 48_000).contains(decoded.total))
    #expect(decoded.samples.count == decoded.total)
  }

  @Test("a mono stream that becomes stereo has two channels")
  func stereo() throws {
    var writer = OggOpusWriter(serial: 9)
    var file: [UInt8] = []
    for (index, packet) in OpusPackets.tone(seconds: 1).enumerated() { writer.append(packet, at: index * 960) }
    #expect(!writer.isStereo)
    for (index, packet) in OpusPackets.tone(seconds: 1, channelCount: 2).enumerated() {
      writer.append(packet, at: 48_000 + index * 960)
    }
    writer.finish()
    file = writer.takePages()
    let head = writer.makeStereoHeader()
    #expect(file.prefix(28).elementsEqual(head.prefix(28).enumerated().map { (22..<26).contains($0) ? file[$0] : $1 }))
    file.replaceSubrange(0..<head.count, with: head)
    let decoded = try #require(OpusPackets.decode(file))
    #expect(decoded.channelCount == 2 && decoded.total == 96_000 - OggOpusWriter.preSkip)
  }

  @Test("bytes that are not an Opus packet are left out")
  func malformed() {
    var writer = OggOpusWriter(serial: 9)
    #expect(!writer.append([], at: 0) && !writer.append([0xFB, 0], at: 0))
    writer.finish()
    #expect(writer.takePages().isEmpty && writer.packetCount == 0)
  }
}
