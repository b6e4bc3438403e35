import Foundation
import Metering
import Testing

@Suite("Volume scale", .timeLimit(.minutes(10)))
struct VolumeScaleTests {
  @Test(
    "volumes are linear in dBFS between -60 and 0",
    arguments: [(-120.0, 0), (-60, 0), (-59.9, 0), (-59.8, 1), (-30, 128), (-3.0103, 242), (0, 255), (6, 255)])
  func values(level: (dBFS: Double, volume: Int)) {
    #expect(VolumeScale.volume(dBFS: level.dBFS) == level.volume)
    #expect(VolumeScale.volume(meanSquare: pow(10, level.dBFS / 10)) == level.volume)
  }

  @Test("a volume's own level gives the volume back")
  func inverse() {
    for volume in 0...255 { #expect(VolumeScale.volume(dBFS: VolumeScale.dBFS(ofVolume: volume)) == volume) }
  }

  @Test("silence and NaN have the volume 0")
  func silence() {
    for meanSquare in [0, -0.0, -1, Double.nan] { #expect(VolumeScale.volume(meanSquare: meanSquare) == 0) }
    #expect(VolumeScale.volume(meanSquare: .infinity) == 255)
  }
}
