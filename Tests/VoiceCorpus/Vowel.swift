/// Formants of vowels as men speak them, and their bandwidths, in Hz.
///
/// Source: Peterson and Barney, "Control methods used in a study of the vowels", 1952 (three formants; the fourth and
/// fifth are usual values of synthesis).
enum Vowel {
  static let formants: [[Double]] = [
    [730, 1_090, 2_440, 3_400, 4_500],  // father
    [270, 2_290, 3_010, 3_600, 4_500],  // heed
    [300, 870, 2_240, 3_300, 4_500],  // who'd
    [530, 1_840, 2_480, 3_500, 4_500],  // head
    [570, 840, 2_410, 3_300, 4_500],  // hawed
    [490, 1_350, 1_690, 3_300, 4_500],  // heard
    [660, 1_720, 2_410, 3_500, 4_500],  // had
    [250, 1_100, 2_200, 3_200, 4_500],  // a nasal murmur
  ]
  static let bandwidths: [Double] = [70, 90, 130, 200, 250]
}
