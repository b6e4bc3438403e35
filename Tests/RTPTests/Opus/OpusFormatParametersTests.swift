import RTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct OpusFormatParametersTests {
  @Test("a browser's parameters are read")
  func browser() {
    let parameters = OpusFormatParameters(parsing: "minptime=10;useinbandfec=1")
    var expected = OpusFormatParameters()
    expected.minimumPacketMilliseconds = 10
    expected.usesForwardErrorCorrection = true
    #expect(parameters == expected)
  }

  @Test("the examples of RFC 7587 are read")
  func examples() {
    let first = OpusFormatParameters(
      parsing:
        "maxplaybackrate=16000; sprop-maxcapturerate=16000; maxaveragebitrate=20000; stereo=1; useinbandfec=1; usedtx=0"
    )
    #expect(first.maximumPlaybackRate == 16_000 && first.captureRate == 16_000 && first.maximumAverageBitrate == 20_000)
    #expect(first.prefersStereo == true && first.usesForwardErrorCorrection == true)
    #expect(first.usesDiscontinuousTransmission == false && first.sendsStereo == nil)
    let second = OpusFormatParameters(parsing: "stereo=1; sprop-stereo=1")
    #expect(second.prefersStereo == true && second.sendsStereo == true && second.prefersConstantBitrate == nil)
  }

  @Test("case, spaces, unknown names and impossible values are tolerated")
  func lenient() {
    let parameters = OpusFormatParameters(
      parsing:
        " UseInbandFEC = 1 ;x-google=3; ;stereo;maxptime=121;ptime=40;ptime=2;usedtx=2;cbr=1;maxaveragebitrate=-1")
    var expected = OpusFormatParameters()
    expected.usesForwardErrorCorrection = true
    expected.packetMilliseconds = 40
    expected.prefersConstantBitrate = true
    #expect(parameters == expected)
    #expect(OpusFormatParameters(parsing: "") == OpusFormatParameters())
  }

  @Test("written parameters are read again, and empty ones write nothing")
  func roundTrip() {
    var parameters = OpusFormatParameters()
    #expect(parameters.text.isEmpty)
    parameters.maximumPlaybackRate = 8000
    parameters.captureRate = 48_000
    parameters.minimumPacketMilliseconds = 3
    parameters.packetMilliseconds = 10
    parameters.maximumPacketMilliseconds = 120
    parameters.maximumAverageBitrate = 510_000
    parameters.prefersStereo = true
    parameters.sendsStereo = false
    parameters.prefersConstantBitrate = false
    parameters.usesForwardErrorCorrection = true
    parameters.usesDiscontinuousTransmission = true
    #expect(OpusFormatParameters(parsing: parameters.text) == parameters)
    #expect(
      parameters.text
        == "maxplaybackrate=8000;sprop-maxcapturerate=48000;minptime=3;ptime=10;maxptime=120;maxaveragebitrate=510000;"
        + "stereo=1;sprop-stereo=0;cbr=0;useinbandfec=1;usedtx=1")
  }

  @Test("the clock is always 48 kHz and the channel count two")
  func constants() {
    #expect(OpusRTP.clockRate == 48_000 && OpusRTP.encodingChannelCount == 2 && OpusRTP.encodingName == "opus")
  }
}
