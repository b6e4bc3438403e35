import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BlockOriginTests {
  @Test("a block has the time, packet and provenance of its first sample", .shows("F13"))
  func provenanceOfBlocks() throws {
    let rig = try ObserverRig(sampleRate: 48_000, playing: [noise(48_000, seed: 1)])
    let log = FrameLog()
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_024)
    try rig.add(log.request(params: [.record: params]))
    rig.tick(100)
    #expect(log.count == 15)
    for frame in log.frames where frame.samplePosition >= 0 {
      // The player gives a frame every 480 samples; at 16 kHz they begin at multiples of 160.
      let origin = frame.samplePosition / 160
      #expect(frame.rtpTimestamp == UInt32(origin * 480))
      #expect(frame.provenance == (origin % 3 == 2 ? .concealed : .decoded))
      #expect(abs(frame.captureTimeNanoseconds - frame.samplePosition * 62_500) <= 1)
    }
  }
}
