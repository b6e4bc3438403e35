import AudioGraph
import Testing

@Suite(.timeLimit(.minutes(10))) struct FrameScheduleTests {
  @Test(
    "100 frames are exactly one second at every rate",
    arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 192_000])
  func secondIsExact(rate: Int) {
    let schedule = FrameSchedule(sampleRate: rate)
    #expect((0..<100).reduce(0) { $0 + schedule.samplesPerChannel(ofFrame: $1) } == rate)
    #expect(schedule.position(ofFrame: 100) == rate)
    #expect((0..<100).allSatisfy { schedule.samplesPerChannel(ofFrame: $0) <= schedule.maximumSamplesPerChannel })
  }

  @Test("at 22050 Hz frames of 220 and 221 samples alternate")
  func alternates() {
    let schedule = FrameSchedule(sampleRate: 22_050)
    #expect((0..<4).map { schedule.samplesPerChannel(ofFrame: $0) } == [220, 221, 220, 221])
  }

  @Test(
    "frameCount(holding:) is the smallest count that holds the samples",
    arguments: [8_000, 11_025, 22_050, 44_100, 48_000])
  func frameCountIsMinimal(rate: Int) {
    let schedule = FrameSchedule(sampleRate: rate)
    for samples in 0...2_000 {
      let naive = (0...).first { schedule.position(ofFrame: $0) >= samples }
      #expect(schedule.frameCount(holding: samples) == naive)
    }
  }
}
