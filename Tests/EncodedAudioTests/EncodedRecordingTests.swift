import Foundation
import Platform
import TestSupport
import Testing

@testable import EncodedAudio

@Suite("recordings of packets as they are", .timeLimit(.minutes(10)))
struct EncodedRecordingTests {
  @Test("users that come late, pause and come back have one file each, in time", .shows("C22"))
  func timeLine() throws {
    try withTemporaryFolder { folder in
      let rig = EncodedRig()
      let recorder = rig.join(uid: 9)
      let sender = rig.join(uid: 1) { $0.publishes = true }
      rig.run(1_000)
      recorder.membership.recording = EncodedRecording(
        in: folder.path, nowNanoseconds: rig.clock.nowNanoseconds, random: SeededGenerator(seed: 1))
      let tone = OpusPackets.tone(seconds: 1)
      func speak(_ user: EncodedRig.User, from position: Int) throws {
        for (index, payload) in tone.enumerated() {
          try user.membership.push(payload, timestamp: position + index * 960)
          rig.run(20)
        }
      }
      // Sound at 1...2 s and 4...5 s; another at 2...3 s; and at 7...8 s behind a new join.
      rig.run(1_000)
      try speak(sender, from: 0)
      let other = rig.join(uid: 2) { $0.publishes = true }
      rig.run(0)
      try speak(other, from: 0)
      rig.run(1_000)
      try speak(sender, from: 3 * 48_000)
      sender.membership.leave()
      rig.run(1_000)
      let again = rig.join(uid: 1) { $0.publishes = true }
      rig.run(1_000)
      try speak(again, from: 0)
      rig.run(300)
      let recording = try #require(recorder.membership.recording)
      let files = recording.finish().files
      #expect(files.map(\.uid) == [1, 2] && recording.failures.isEmpty)
      #expect(files.map(\.path) == ["1", "2"].map { folder.path + "/\($0).opus" })
      #expect(files.map(\.packetCount) == [150, 50])
      let first = try #require(OpusPackets.decode([UInt8](Data(contentsOf: URL(fileURLWithPath: files[0].path)))))
      #expect(first.total == files[0].sampleCount - OggOpusWriter.preSkip)
      // Arrival decides the first position of a source, to 2.5 ms and the length of a packet.
      #expect(abs(files[0].sampleCount - 8 * 48_000) <= 1_080, "\(files)")
      func level(_ seconds: Double) -> Double {
        let start = Int(seconds * 48_000)
        return toneAmplitude(of: 1_000, in: first.samples[start..<start + 4_800], sampleRate: 48_000)
      }
      for time in [1.1, 1.8, 4.1, 4.8, 7.1, 7.8] { #expect(level(time) > 0.4, "at \(time) s") }
      for time in [0.1, 0.8, 2.5, 3.8, 5.5, 6.8] { #expect(level(time) < 0.01, "at \(time) s") }
    }
  }

  @Test("packets are in the file a second after they have come")
  func flush() throws {
    try withTemporaryFolder { folder in
      let rig = EncodedRig()
      let recorder = rig.join(uid: 9)
      let sender = rig.join(uid: 1) { $0.publishes = true }
      rig.run(1_000)
      recorder.membership.recording = EncodedRecording(in: folder.path, nowNanoseconds: rig.clock.nowNanoseconds)
      for (index, payload) in OpusPackets.tone(seconds: 0.5).enumerated() {
        try sender.membership.push(payload, timestamp: index * 960)
        rig.run(20)
      }
      rig.run(1_000)
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("1.opus")))
      // The last packet waits, since it may be the stream's last.
      #expect(try #require(OpusPackets.decode(bytes)).total == 24 * 960 - OggOpusWriter.preSkip)
    }
  }

  @Test("the file of a silent user is closed, and continues", .shows("C22"))
  func closed() throws {
    try withTemporaryFolder { folder in
      func openCount() -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.count { number in
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
          return target == folder.appendingPathComponent("1.opus").path
        }
      }
      let rig = EncodedRig()
      let (recorder, sender) = (rig.join(uid: 9), rig.join(uid: 1) { $0.publishes = true })
      rig.run(1_000)
      recorder.membership.recording = EncodedRecording(in: folder.path, nowNanoseconds: rig.clock.nowNanoseconds)
      let tone = OpusPackets.tone(seconds: 0.5)
      for (index, payload) in tone.enumerated() {
        try sender.membership.push(payload, timestamp: index * 960)
        rig.run(20)
      }
      #expect(openCount() == 1)
      rig.run(7_500)
      #expect(openCount() == 0)
      for (index, payload) in tone.enumerated() {
        try sender.membership.push(payload, timestamp: 384_000 + index * 960)
        rig.run(20)
      }
      #expect(openCount() == 1)
      let result = try #require(recorder.membership.recording?.finish().files.first)
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("1.opus")))
      #expect(result.packetCount == 2 * tone.count)
      #expect(try #require(OpusPackets.decode(bytes)).total == result.sampleCount - OggOpusWriter.preSkip)
    }
  }

  @Test("a file that exists stays, and the new one has a number")
  func existing() throws {
    try withTemporaryFolder { folder in
      try Data([1]).write(to: folder.appendingPathComponent("5.opus"))
      let file = try EncodedFile(in: folder.path, name: "5")
      try file.write([2, 3])
      #expect(file.path == folder.path + "/5.2.opus")
      #expect(try Data(contentsOf: folder.appendingPathComponent("5.opus")) == Data([1]))
    }
  }

  @Test("a missing folder is an error with its path; packets still come")
  func missing() {
    let recording = EncodedRecording(in: "/nonexistent", nowNanoseconds: 0)
    let rig = EncodedRig()
    let recorder = rig.join(uid: 9)
    let sender = rig.join(uid: 1) { $0.publishes = true }
    recorder.membership.recording = recording
    rig.run(1_000)
    for index in 0..<10 {
      try? sender.membership.push([0xF8, 1], timestamp: index * 960)
      rig.run(20)
    }
    #expect(recording.failures.count == 1 && recording.failures.first?.number == ENOENT)
    #expect(recording.finish().files.isEmpty && recorder.packets[1]?.count == 10)
  }
}
