/** Whether numbers and dates can be written for a locale (BCP 47): it is well-formed, and its data is installed. */
export const isLocale = (text: string): boolean => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length === 1
  } catch {
    return false
  }
}
