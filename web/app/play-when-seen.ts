/**
 * Plays the animations in `[data-plays-when-seen]` again when it first comes into view, if it is
 * below the window now: they have then ended unseen. Returns a function that stops waiting.
 */
export function playWhenSeen(): () => void {
  const element = document.querySelector('[data-plays-when-seen]');
  if (element === null || element.getBoundingClientRect().top < window.innerHeight)
    return () => undefined;
  const observer = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting !== true) return;
    observer.disconnect();
    for (const animation of element.getAnimations({ subtree: true })) animation.play();
  });
  observer.observe(element);
  return () => observer.disconnect();
}
