import Foundation
import Platform
import TestSupport
import Testing

@testable import EncodedAudio

@Suite("capacity of recorders", .timeLimit(.minutes(10)))
struct EncodedCapacityTests {
  private static let channelCount = 50
  private static let usersPerChannel = 20
  private static let seconds = 4

  @Test("1,000 users are recorded with at most 1 s of processor time a second", .shows("C22"))
  func thousand() throws {
    try withTemporaryFolder { folder in
      let rig = EncodedRig()
      rig.quantumNanoseconds = 10 * EncodedRig.millisecond
      var recorders: [EncodedRig.User] = []
      var publishers: [EncodedRig.User] = []
      for channel in 0..<Self.channelCount {
        recorders.append(rig.join(uid: 1_000_000, channel: "room\(channel)"))
        for user in 0..<Self.usersPerChannel {
          publishers.append(
            rig.join(uid: UInt32(channel * 1_000 + user + 1), channel: "room\(channel)") {
              ($0.publishes, $0.receives) = (true, false)
            })
        }
        rig.run(20)
      }
      rig.run(1_000)
      #expect(rig.users.count { $0.hasJoined } == rig.users.count)
      for (channel, recorder) in recorders.enumerated() {
        let place = folder.appendingPathComponent("\(channel)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        recorder.membership.recording = EncodedRecording(in: place.path, nowNanoseconds: rig.clock.nowNanoseconds)
        recorder.keepsPackets = false
      }
      let packets = OpusPackets.random(count: 50 * Self.seconds, seed: 1)
      rig.measure(recorders)
      for (index, packet) in packets.enumerated() {
        for publisher in publishers { try publisher.membership.push(packet, timestamp: index * 960) }
        rig.run(20)
      }
      let perSecond = Double(rig.measuredNanoseconds) / 1e9 / Double(Self.seconds)
      print("EncodedCapacityTests: \(perSecond) s of processor time for a second of 1,000 users")
      #expect(perSecond < 1)
      let files = recorders.flatMap { $0.membership.recording?.finish().files ?? [] }
      #expect(
        files.count == 1_000 && files.allSatisfy { $0.packetCount == packets.count && $0.gapSampleCount < 48_000 })
      #expect(recorders.allSatisfy { $0.membership.counts.lost == 0 && $0.membership.recording!.failures.isEmpty })
      // As for lengths, one of them stands for all.
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files[500].path)))
      #expect(try #require(OpusPackets.decode(bytes)).total == files[500].sampleCount - OggOpusWriter.preSkip)
    }
  }
}
