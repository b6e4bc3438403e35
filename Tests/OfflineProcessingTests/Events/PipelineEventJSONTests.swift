import Engine
import Foundation
import Metering
import OfflineProcessing
import Playback
import TestSupport
import Testing

@Suite("Events as JSON and as text", .timeLimit(.minutes(10)))
struct PipelineEventJSONTests {
  private func fields(_ kind: PipelineEvent.Kind) throws -> NSDictionary {
    let json = PipelineEvent(kind, tickCount: 123).json
    #expect(!json.contains("\n"))
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary)
  }

  @Test("an event is an object with its time, name and fields", .shows("event JSON"))
  func json() throws {
    #expect(try fields(.speechBegan(SpeakerID(uid: 7))) == ["time_s": 1.23, "event": "speechBegan", "uid": 7])
    #expect(
      try fields(.music(.playing, .startedByUser)) == [
        "time_s": 1.23, "event": "musicState", "state": 710, "reason": 720,
      ])
    #expect(
      try fields(.recordingFailed(path: "a \"b\"\n.wav", reason: "full")) == [
        "time_s": 1.23, "event": "recordingFailed", "path": "a \"b\"\n.wav", "message": "full",
      ])
  }

  @Test("volumes have the users of their side", .shows("event JSON"))
  func volumes() throws {
    let report = VolumeReport(
      side: .remote, speakers: [SpeakerVolume(uid: 3, channelID: "", volume: 99, vad: 0, voicePitch: 0)],
      totalVolume: 101)
    #expect(
      try fields(.volumes(report)) == [
        "time_s": 1.23, "event": "volumes", "side": "remote", "total_volume": 101,
        "speakers": [["uid": 3, "volume": 99]],
      ])
  }

  @Test("a description is one line with time and words")
  func text() {
    #expect(
      PipelineEvent(.speechBegan(SpeakerID(uid: 7)), tickCount: 123).description == "1.23 s: user 7 begins to speak")
    let warning = PipelineWarning(.notHeard, "a.wav: the sound is not heard")
    #expect(
      "\(PipelineEvent(.warning(warning), tickCount: 0, samplePosition: 12_345, sampleRate: 48_000))"
        == "0.257 s: warning 707: a.wav: the sound is not heard")
  }
}
