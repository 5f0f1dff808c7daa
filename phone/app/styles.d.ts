/** A style sheet that the bundler takes in. */
declare module '*.css' {}
